import type { ContentModerator } from '../types.ts'

/**
 * V8 compiles an expression when it first reads a text, and once more for the first text with a character beyond Latin-1, such as a
 * curly quote. That takes long enough for all expressions together that a worker reads such a text before it is ready, while
 * nobody waits for it. The text has what leads to the expressions that few texts need: digits, a host, an entity, a bracket,
 * spelled digits, numbers of a phone without a call, and a clean word that a profane one is in.
 */
const TEXT =
  '“Good” 🚗 & assy, four four five, wheels 12345678 and stock no 0412345678, great car.Net price, great car.me and <average, ‘safe’ at ancap.com.au &lt; 9 &nbsp; @ 5'

/** Has each expression compiled for texts beyond Latin-1, in all kinds of fields. */
export function warmUp(content: ContentModerator): void {
  content.check({ vehicle: { source_id: 'a', description: TEXT, dealer_name: TEXT, specifications_provider: TEXT } })
}
