const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar date, ISO, of `now` (milliseconds since the epoch) in an IANA time zone. */
export function todayIn(timeZone: string, now: number): string {
  let format = formats.get(timeZone)
  if (!format) {
    // The Swedish locale writes dates in ISO 8601 format.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(now)
}
