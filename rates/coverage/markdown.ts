/** A text that Markdown shows as it is: two dollar signs would make a formula of what is between them. */
export const plain = (text: string): string => text.replace(/[$|<*]/g, '\\$&')

/** A link to a page of some title. */
export const link = (title: string, url: string): string => `[${plain(title).replace(/[[\]]/g, '\\$&')}](<${url}>)`
