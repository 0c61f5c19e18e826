import { chosenOf, hashOf, type Chosen } from './request.ts'

/** Browsers ignore a page that changes its address hundreds of times in a few seconds, as a dragged price would. */
const WRITE_MS = 200

interface Unwritten {
  now: Chosen
  /** The address when the choice was made; another one since then is a newer choice. */
  before: string
}
let unwritten: Unwritten | undefined
let written = -Infinity

/** What is chosen now: what the address has, or a choice that it will have in a moment. */
export const currentChoice = (): Chosen =>
  unwritten?.before === location.hash ? unwritten.now : chosenOf(location.hash)

/** Chooses, and puts the choice in the address without an entry of its own in the history. */
export function choose(now: Chosen): void {
  const wait = written + WRITE_MS - performance.now()
  if (wait > 0 && unwritten === undefined) setTimeout(write, wait)
  unwritten = { now, before: location.hash }
  if (wait <= 0) write()
}

function write(): void {
  if (unwritten?.before === location.hash) history.replaceState(null, '', hashOf(unwritten.now))
  unwritten = undefined
  written = performance.now()
}
