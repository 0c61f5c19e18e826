import { plainCondition } from '../diff/condition-words.ts'
import { resolverOn, type Subject } from '../diff/amounts.ts'
import { NEVER_MISSING, type Fact } from '../engine/grammar/facts.ts'
import type { Missing } from '../engine/grammar/rule.ts'
import { DEFAULTS, type Entry } from '../engine/compile/missing.ts'
import { mayLackRoom } from '../engine/compile/possible.ts'
import type { CompiledRule } from '../engine/compile/rule.ts'
import { FACT_INDEX } from '../engine/state.ts'
import { concerns, type FactRead } from './facts-read.ts'

/**
 * What happens to a charge when its fact is not sent: a value is `assumed`, the charge is `unpriced`, the request is
 * `rejected`, or the charge is computed `without` the fact.
 */
export interface WithoutFact {
  outcome: 'assumed' | 'unpriced' | 'rejected' | 'without'
  /** The assumed value of the field; null when several fields decide what is assumed. */
  value?: string | number | boolean | null
  /** The condition of this entry in words; when it fails, the next entry applies. */
  when?: string
  /** The warning of a quote, if there is one. */
  reason?: string
}

/** An entry as the file has it, with its compiled form. */
interface Declared {
  written: Missing
  entry: Entry
}

/** What a rule does without a fact that it reads; the first entry whose `when` holds applies. */
export function withoutFact(rule: CompiledRule, read: FactRead, subject: Subject): WithoutFact[] {
  const { fact } = read
  const byDefault = DEFAULTS.find((entry) => entry.slot === FACT_INDEX[fact])
  if (byDefault) return [{ outcome: 'assumed', value: byDefault.shown, reason: byDefault.warning ?? '' }]
  if (isNeverMissing(fact)) return []
  const concerned = declaredIn(rule, subject).filter(({ written }) => concerns(written, read))
  const last = concerned.findIndex(({ written }) => written.when === undefined)
  const found = concerned.slice(0, last < 0 ? concerned.length : last + 1).map((each) => outcomeOf(each, subject))
  const all = last < 0 ? [...found, without(rule, fact)] : found
  return mayBeContradicted(concerned) ? [NO_ROOM, ...all] : all
}

/** Whether a value is assumed, while other facts that are sent may contradict every assumed value. */
function mayBeContradicted(declared: Declared[]): boolean {
  const assumedEntries = declared.filter(({ entry }) => entry.kind === 'fact' && entry.value !== null)
  const hasRoom = ({ entry }: Declared) => !mayLackRoom(entry.slot, entry.value!)
  return (
    assumedEntries.length > 0 &&
    !assumedEntries.every(hasRoom) &&
    !assumedEntries.some((each) => !each.written.when && hasRoom(each))
  )
}

/** A value that contradicts a fact which was sent is not assumed. */
const NO_ROOM: WithoutFact = {
  outcome: 'unpriced',
  when: 'the other facts that are sent leave no room for any value that would be assumed',
}

const isNeverMissing = (fact: Fact) => (NEVER_MISSING as readonly string[]).includes(fact)

/** The rule's own entries, then those of its set: the order in which the rule was compiled. */
function declaredIn(rule: CompiledRule, { spec }: Subject): Declared[] {
  const written = [...(rule.spec.missing ?? []), ...(spec.missing ?? [])]
  return written.map((each, at) => ({ written: each, entry: rule.missing[at]! }))
}

function outcomeOf({ written, entry }: Declared, subject: Subject): WithoutFact {
  const where = written.when ? { when: plainCondition(written.when, subject.spec, resolverOn(subject, '')) } : {}
  const reason = entry.unpriced ?? entry.warning
  const said = reason === null ? {} : { reason }
  if (entry.value !== null) return { outcome: 'assumed', value: entry.shown, ...where, ...said }
  return { outcome: entry.unpriced === null ? 'rejected' : 'unpriced', ...where, ...said }
}

function without(rule: CompiledRule, fact: Fact): WithoutFact {
  const reason = [...rule.fallbacks].find(([, facts]) => facts.includes(fact))?.[0]
  return reason === undefined ? { outcome: 'without' } : { outcome: 'without', reason }
}
