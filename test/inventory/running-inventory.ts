import type { Moderation } from '../../worker/moderation/types.ts'
import { startWorking, type Working } from '../worker/working.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { startUploadServer, type UploadServer } from './uploads.ts'

/** Storage on a real nats-server, the inventory API on it, and a worker. */
export interface RunningInventory {
  opened: OpenedStore
  server: UploadServer
  working: Working
  /** Starts another worker, after the first was stopped. */
  workAgain(): void
  /** Stops all three; the worker may finish what it holds for so long. */
  stop(graceMs: number): Promise<void>
}

export async function startInventory(moderation?: Moderation): Promise<RunningInventory> {
  const opened = await openedStore()
  const server = await startUploadServer(() => opened.store)
  const work = () => startWorking(() => opened.store, moderation)
  const running: RunningInventory = {
    ...{ opened, server, working: work() },
    workAgain: () => {
      running.working = work()
    },
    stop: async (graceMs) => {
      await running.working.stop(graceMs)
      await server.close()
      await opened.close()
    },
  }
  return running
}
