import { parentPort } from 'node:worker_threads'
import type { Item } from '#inventory/batch.ts'
import { parseExactly } from '#inventory/exact-json.ts'
import { createContentModerator } from './create-content-moderator.ts'

// Entry point of the thread of long-items.ts, which checks one item after another. What is thrown here ends the thread.

/** An item for the thread, which answers with its faults. */
export interface ToThread {
  json: string
  allowedWords: readonly string[]
}

const content = createContentModerator()
parentPort?.on('message', ({ json, allowedWords }: ToThread) =>
  parentPort?.postMessage(content.check(parseExactly<Item>(json), allowedWords, json)),
)
