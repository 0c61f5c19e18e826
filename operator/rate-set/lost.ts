/**
 * A rate set is lost when the index names it but its content cannot be read anywhere: its shards are gone, and its
 * object is gone or has other content. API processes that have loaded the content continue to serve it, and no
 * publication may take it from them: the entry stays in the index unchanged, and so does every set that imports the
 * lost one. Everything else is published.
 */
import type { OperatorCheck } from '#crds/operator-checks.ts'
import type { Fault } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { yearDates } from '#rates/engine/dates.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { Assignment, Contents, MakeEvaluate } from './assignment.ts'
import type { RateSetObject } from './object.ts'

export type LostSets = ReadonlyMap<string, RateSetEntry>

export const CONTENT_LOST = 'content-lost' satisfies OperatorCheck

/**
 * A placeholder for a spec that cannot be read: only the year, the pricing code and the imports, all known from the
 * index.
 */
export function placeholderOf(entry: RateSetEntry, index: RatesIndex): RateSetSpec {
  const { pricingCode, financialYear } = entry
  const codes = new Map(index.sets.map((each) => [each.name, each.pricingCode]))
  const imports = Object.keys(entry.imports).flatMap((name) => codes.get(name) ?? [])
  return { pricingCode, financialYear, imports } as unknown as RateSetSpec
}

/**
 * Adds to the checks: a lost set passes with the imports that it was published with. A set that imports a lost one
 * passes with its published content only, because new content cannot be checked without the import.
 */
export function guardLost(
  evaluate: MakeEvaluate,
  { lost, index }: { lost: LostSets; index: RatesIndex | undefined },
): MakeEvaluate {
  if (lost.size === 0) return evaluate
  const published = new Map(index?.sets.map((entry) => [entry.name, entry]))
  return (contents) => {
    const check = evaluate(contents)
    return async (name, assignment) => {
      const entry = lost.get(name)
      if (entry && assignment.get(name) === 'lastGood') return movedPins(entry, contents, assignment)
      const missing = contents.imports(name, assignment).filter((each) => isLost(lost, each, assignment))
      if (missing.length === 0) return check(name, assignment)
      const isUnchanged = contents.digest(name, assignment) === published.get(name)?.digest
      return isUnchanged ? [] : missing.map((each) => importLost(each))
    }
  }
}

const isLost = (lost: LostSets, name: string, assignment: Assignment) =>
  lost.has(name) && assignment.get(name) === 'lastGood'

/**
 * Faults of a lost set whose imports changed: the entry names their digests, and cannot be encoded again without its
 * content.
 */
function movedPins(entry: RateSetEntry, contents: Contents, assignment: Assignment): Fault[] {
  const now = new Map(contents.importedSets(entry.name, assignment).map(({ name, digest }) => [name, digest]))
  return Object.entries(entry.imports)
    .filter(([name, digest]) => now.get(name) !== digest)
    .map(([name]) => ({
      check: CONTENT_LOST,
      path: 'imports',
      message: `${howToRestore(entry)}; until then the content of ${name} stays`,
    }))
}

function importLost(name: string): Fault {
  const message = `${name} is published, but its shards are gone and its object does not have that content`
  return { check: CONTENT_LOST, path: 'imports', message }
}

/** The message about a lost set: what is lost and how to restore it. */
export function howToRestore({ name, digest }: RateSetEntry): string {
  return `the content of ${name} at ${digest} is lost: apply the RateSet with content that passes its checks, or with withdrawn: true`
}

/** The sets that a publication would drop although nobody withdrew them. */
export function vanishing(
  known: readonly RateSetEntry[],
  desired: RatesIndex,
  isWithdrawn: (name: string) => boolean,
): RateSetEntry[] {
  const stays = new Set(desired.sets.map(({ name }) => name))
  return known.filter(({ name }) => !stays.has(name) && !isWithdrawn(name))
}

/**
 * The entries that the statuses of the objects report as published: the last record when the index and its history are
 * both gone. Such an entry names no shards, so its content cannot be published.
 */
export function saidPublished(objects: readonly RateSetObject[]): RateSetEntry[] {
  return objects.flatMap(({ metadata: { name }, spec, status }) => {
    const isPublished = status?.conditions.some((one) => one.type === 'Published' && one.status === 'True')
    if (!isPublished || status?.digest === undefined) return []
    const { pricingCode, financialYear } = spec
    const head = { name, pricingCode, financialYear, ...yearDates(financialYear) }
    return [{ ...head, digest: status.digest, specDigest: '', imports: {}, shards: [] }]
  })
}

/** The publication would drop sets that nobody withdrew. It is not made, and the current index stays. */
export class WouldVanish extends Error {
  override name = 'WouldVanish'
  readonly lost: LostSets

  constructor(entries: readonly RateSetEntry[]) {
    super(`no rates are published: ${entries.map(howToRestore).join('; ')}`)
    this.lost = new Map(entries.map((entry) => [entry.name, entry]))
  }
}
