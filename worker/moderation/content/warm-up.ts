import type { ContentModerator } from '../types.ts'

/**
 * V8 compiles an expression when it first reads a text, and once more for the first text with a character beyond Latin-1, such as a
 * curly quote: a quarter of a second or more for all expressions, in which the worker answers nobody. So a worker reads
 * one such text before it is ready. The text has what leads to the expressions that few texts need: a digit, a host, an
 * entity, a bracket, spelled digits and a clean word that a profane one is in.
 */
const TEXT =
  '“Good” 🚗 & assy with 4 or four five doors, great car.Net price, great car.me and 1800 cc <average, ‘safe’ at ancap.com.au &lt; 9 (at) x &nbsp; e'

/** Has each expression compiled for texts beyond Latin-1, in all kinds of fields. */
export function warmUp(content: ContentModerator): void {
  content.check({ vehicle: { source_id: 'a', description: TEXT, dealer_name: TEXT, specifications_provider: TEXT } })
}
