import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open sockets of a server, each with the last answer that was begun on it. */
export interface Connections {
  /** Notes that a request came in on its socket; the answer before it, if any, ends first. */
  noteAnswer(socket: Socket, response: ServerResponse): void
  /** Whether an answer is being written to this socket, so that nothing else may be. */
  isWriting(socket: Socket): boolean
  /** Cuts every socket on which no answer is due: idle ones, those that never sent a request, and those amid a header. */
  cutIdle(): void
  cutAll(): void
}

/**
 * Follows the sockets of a server. Node's own `closeIdleConnections` passes over a socket that has sent nothing yet and one
 * that has sent half of a header, and either would hold a stopping server until a time limit of minutes.
 */
export function followConnections(server: Server): Connections {
  const lastAnswer = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    lastAnswer.set(socket, undefined)
    socket.once('close', () => lastAnswer.delete(socket))
  })
  const isDue = (response: ServerResponse | undefined) => response !== undefined && !response.writableFinished
  return {
    noteAnswer: (socket, response) => void lastAnswer.set(socket, response),
    isWriting: (socket) => {
      const response = lastAnswer.get(socket)
      return isDue(response) && response!.headersSent
    },
    cutIdle: () => {
      for (const [socket, response] of lastAnswer) if (!isDue(response)) socket.destroy()
    },
    cutAll: () => {
      for (const socket of lastAnswer.keys()) socket.destroy()
    },
  }
}
