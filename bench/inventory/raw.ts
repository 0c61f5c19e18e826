import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Task } from './raw-peer.ts'

/** JetStream alone: one process publishes, one consumes. */
export interface RawPeer {
  pids: readonly number[]
  /** Publishes and consumes the batches of a task; returns when the last message is acknowledged. */
  run(task: Task): Promise<void>
  stop(): Promise<void>
}

/** Starts both processes on existing streams. */
export async function startRawPeer(url: string): Promise<RawPeer> {
  const peers = await Promise.all(['publish', 'consume'].map((role) => startPeer(role, url)))
  const gone = Promise.race(peers.map((peer) => once(peer, 'exit')))
  return {
    pids: peers.map(({ pid = 0 }) => pid),
    run: async (task) => {
      const done = Promise.all(peers.map((peer) => answer(peer, task))).then(() => true)
      if (!(await Promise.race([done, gone.then(() => false)]))) throw new Error('a process of the raw peer ended')
    },
    stop: async () => {
      for (const peer of peers) {
        peer.kill()
        await once(peer, 'exit')
      }
    },
  }
}

async function startPeer(role: string, url: string): Promise<ChildProcess> {
  const child = fork(new URL('raw-peer.ts', import.meta.url), [role, url])
  await once(child, 'message')
  return child
}

async function answer(peer: ChildProcess, task: Task): Promise<void> {
  const answered = once(peer, 'message')
  peer.send(task)
  await answered
}
