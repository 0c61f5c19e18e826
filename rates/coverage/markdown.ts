/** Escapes a text so that Markdown shows it unchanged; the text between two dollar signs would become a formula. */
export const plain = (text: string): string => text.replace(/[$|<*]/g, '\\$&')

/** A link with a title to a page. */
export const link = (title: string, url: string): string => `[${plain(title).replace(/[[\]]/g, '\\$&')}](<${url}>)`
