import { CLIENTS_INDEX, FORMAT_VERSION, RATES_INDEX, type Loaded } from '#rates/published/format.ts'
import type { Life } from '../schedule/life.ts'
import type { Write } from '../server/storage.ts'
import { clientsIndexIn } from './clients.ts'
import { indexIn } from './rates.ts'
import { Violation } from './violation.ts'

/** What a reader of the version before reads. */
const OLD_FORMATS: readonly number[] = [FORMAT_VERSION - 1]

/** A run that was computed before a reader answered is written by then. */
const DECIDED_MS = 30_000

/** Nothing is published in a format that a reader does not read, once the reader has said so. */
export class FormatInvariants {
  readonly #now: () => number
  /** The readers of the version before. */
  readonly #old = new WeakSet<Life>()
  /** When an operator heard first of each of these. */
  readonly #heard = new Map<string, Map<Life, number>>()

  constructor(now: () => number) {
    this.#now = now
  }

  makeOld(reader: Life): void {
    this.#old.add(reader)
  }

  /** An operator that starts has heard of nobody. */
  begin(operator: Life): void {
    this.#heard.set(operator.name, new Map())
  }

  /** What a reader answers, as far as its version says. */
  answered(loaded: Loaded, { operator, reader }: { operator: Life; reader: Life }): Loaded {
    if (!this.#old.has(reader)) return loaded
    const heard = this.#heard.get(operator.name)
    if (!heard?.has(reader)) heard?.set(reader, this.#now())
    return { ...loaded, formatVersions: [...OLD_FORMATS] }
  }

  take({ type, object }: Write, writer: string): void {
    const { name } = object.metadata
    if (type === 'DELETED' || (name !== RATES_INDEX && name !== CLIENTS_INDEX)) return
    const { formatVersion } = (name === RATES_INDEX ? indexIn(object) : clientsIndexIn(object)) ?? {}
    if (formatVersion === undefined || OLD_FORMATS.includes(formatVersion)) return
    for (const [reader, since] of this.#heard.get(writer) ?? [])
      if (reader.isAlive && this.#now() - since > DECIDED_MS)
        throw new Violation('format', `${name} is in format ${formatVersion}, which ${reader.name} does not read`)
  }
}
