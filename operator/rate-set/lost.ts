/**
 * A rate set is lost when the index names it and its content can be read nowhere: its shards are gone, and its object is
 * gone or says something else. API processes that hold the content serve on, and nothing may take that from them: the
 * entry stays in the index as it is, and what imports the set stays as it is with it. Everything else is published.
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

/** What stands for a spec that nobody has: enough to know whose it is and what it imports. */
export function placeholderOf(entry: RateSetEntry, index: RatesIndex): RateSetSpec {
  const { pricingCode, financialYear } = entry
  const codes = new Map(index.sets.map((each) => [each.name, each.pricingCode]))
  const imports = Object.keys(entry.imports).flatMap((name) => codes.get(name) ?? [])
  return { pricingCode, financialYear, imports } as unknown as RateSetSpec
}

/**
 * The same checks for everything that can be checked. What is lost passes with the imports that it was published with;
 * what imports it passes as it is published, because a new content cannot be checked with it.
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

/** An entry pins the digests of its imports, and cannot be pinned anew without its content. */
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

/** What is lost of a set, and what brings it back. */
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
 * What the statuses of the objects say is published: the last that is known where the index and its history are both gone.
 * Such an entry names no shards, and nothing can be published of it.
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

/** A publication would drop what nobody withdrew; it is not made, and the index stays. */
export class WouldVanish extends Error {
  override name = 'WouldVanish'
  readonly lost: LostSets

  constructor(entries: readonly RateSetEntry[]) {
    super(`no rates are published: ${entries.map(howToRestore).join('; ')}`)
    this.lost = new Map(entries.map((entry) => [entry.name, entry]))
  }
}
