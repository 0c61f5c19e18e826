import type { Logger } from '#runtime/log.ts'

/** Says of a stored record that it cannot be read; `what` names it. */
export type TellUnreadable = (what: object, revision: number) => void

/** Records of which this process has told. */
const MOST_TOLD = 1_000

/** Tells once of each record, which counts as none from then on: a client that uploads it each minute must not fill the log. */
export function unreadableIn(log: Pick<Logger, 'warn'> | undefined, message: string): TellUnreadable {
  const told = new Set<string>()
  return (what, revision) => {
    const name = JSON.stringify([what, revision])
    if (told.has(name)) return
    if (told.size >= MOST_TOLD) told.clear()
    told.add(name)
    log?.warn({ ...what, revision }, message)
  }
}

/** The value of a text; undefined where it is not JSON, or has another shape. */
export function readAs<T>(text: string, parse: (text: string) => unknown, isShape: (value: unknown) => value is T) {
  try {
    const value = parse(text)
    return isShape(value) ? value : undefined
  } catch {
    return undefined
  }
}
