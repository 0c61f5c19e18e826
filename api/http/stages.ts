/**
 * Small requests that arrive in one turn of the event loop go through its stages together: all are read, then all are
 * handled, then all answers are written. One request after the other, the kernel's work for a socket and ours would find
 * the processor's caches full of each other's code and data, and a waiting caller would be woken for each answer: a quote
 * took nearly twice the processor time (docs/benchmarks.md, "A quote over HTTP, before and after").
 */

/**
 * Most requests that wait for the others of their turn. One beyond these is handled at once, so that what waits is bounded, and
 * no request waits for more than these.
 */
const MOST = 32

const toHandle: (() => void)[] = []
const toWrite: (() => void)[] = []

/** Calls `handle` when every request of this turn has been read. */
export function handleTogether(handle: () => void): void {
  if (toHandle.length === MOST) return handle()
  if (toHandle.push(handle) === 1) setImmediate(handleAll)
}

function handleAll(): void {
  for (const handle of toHandle.splice(0)) handle()
}

/** Calls `write` when every request of this turn that needs nothing from elsewhere has been handled. */
export function writeTogether(write: () => void): void {
  // A tick begins when no promise has anything left to do.
  if (toWrite.push(write) === 1) process.nextTick(writeAll)
}

function writeAll(): void {
  for (const write of toWrite.splice(0)) write()
}
