import type { ItemText } from './texts-of-item.ts'

/** Short texts that were found to be clean: makes, colours, names of fields, which all vehicles of a dealer share. */
export interface CleanTexts {
  has(text: ItemText): boolean
  add(text: ItemText): void
}

const LONGEST = 64
const MOST = 20_000

/** Remembers some megabytes of them, and begins anew when there are more. */
export function createCleanTexts(): CleanTexts {
  const known = { prose: new Set<string>(), name: new Set<string>(), link: new Set<string>(), opaque: new Set<string>() }
  return {
    has: ({ kind, text }) => known[kind].has(text),
    add: ({ kind, text }) => {
      if (text.length > LONGEST) return
      if (known[kind].size >= MOST) known[kind].clear()
      known[kind].add(text)
    },
  }
}
