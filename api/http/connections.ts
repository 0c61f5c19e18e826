import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open sockets of a server, each with the last response that was started on it. */
export interface Connections {
  /**
   * Records that a request arrived on its socket; the response before it, if any, ends first. Returns how many requests of the
   * socket have no answer yet.
   */
  noteAnswer(socket: Socket, response: ServerResponse): number
  /**
   * Whether nothing else may be written to this socket: a response is being written, or one was written to a request
   * whose body has not arrived.
   */
  isAnswered(socket: Socket): boolean
  /** Calls `then` when each request that arrived whole on this socket has its answer: at once, where none waits. */
  whenAnswered(socket: Socket, then: () => void): void
  /**
   * Closes every socket on which no response is due: idle ones, those that never sent a request, and those in the
   * middle of a header.
   */
  cutIdle(): void
  cutAll(): void
}

/**
 * Follows the sockets of a server. Node's own `closeIdleConnections` ignores a socket that has sent nothing yet or half
 * a header; either would delay a stop by minutes.
 */
export function followConnections(server: Server): Connections {
  const lastAnswer = new Map<Socket, ServerResponse | undefined>()
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    lastAnswer.set(socket, undefined)
    socket.once('close', () => lastAnswer.delete(socket))
  })
  return {
    noteAnswer: (socket, response) => {
      lastAnswer.set(socket, response)
      const open = unanswered.get(socket) ?? new Set()
      unanswered.set(socket, open.add(response))
      response.on('close', () => open.delete(response))
      return open.size
    },
    isAnswered: (socket) => {
      const response = lastAnswer.get(socket)
      if (!response?.headersSent) return false
      return !response.writableFinished || !response.req.complete
    },
    whenAnswered: (socket, then) => {
      // Answers are sent in the order of their requests.
      const last = [...(unanswered.get(socket) ?? [])].findLast((response) => response.req.complete && isDue(response))
      return last ? void last.once('close', then) : then()
    },
    cutIdle: () => {
      for (const [socket, response] of lastAnswer) if (!isDue(response)) socket.destroy()
    },
    cutAll: () => {
      for (const socket of lastAnswer.keys()) socket.destroy()
    },
  }
}

function isDue(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished
}
