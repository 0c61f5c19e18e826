const format = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `1 July 2027` for an ISO day. */
export const dayWords = (iso: string): string => format.format(new Date(`${iso}T00:00:00Z`))
