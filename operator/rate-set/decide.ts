import type { ConditionReason } from '#crds/conditions.ts'
import { IMPORTS_PRESENT, type Fault } from '#rates/checks/fault.ts'
import { crashed } from '#rates/checks/contained.ts'
import {
  Contents,
  passes,
  POSTPONED,
  replaced,
  type Finding,
  type Assignment,
  type Candidate,
  type Evaluate,
  type MakeEvaluate,
  type Version,
} from './assignment.ts'
import { ChecksUnavailable } from './check-thread.ts'
import { EMERGENCY_REFUSED, NOT_ATTESTED } from './checks.ts'
import { holdsPublished, PINNED } from './pins.ts'
import { Due, importOrder, withImporters } from './import-order.ts'

/** Why a set is published as it is. */
export type Reason = Extract<
  ConditionReason,
  | 'Published'
  | 'Pinned'
  | 'Withdrawn'
  | 'CheckFailed'
  | 'ImportMissing'
  | 'ImportHeld'
  | 'BreaksImporter'
  | 'ImporterPinned'
  | 'AwaitingAttestation'
>

export interface Verdict {
  name: string
  version: Version
  reason: Reason
  faults: Fault[]
  /** A later run judges the newest content; this run leaves the status unchanged. */
  isPostponed?: true
  /** The importer that a held set would break, or the import that a set waits for. */
  other?: string
}

export interface PublicationDecision {
  contents: Contents
  assignment: ReadonlyMap<string, Version>
  /** One verdict for each set that has an object or is published. */
  verdicts: ReadonlyMap<string, Verdict>
}

/** A candidate, and whether its object withdraws it. */
export type RequestedSet = Candidate & { withdrawn?: boolean }

/**
 * Chooses for every set the object's content or the last good one, so that all chosen sets pass together with their
 * imports; a change that would break an importer is held. The order of `asked` does not matter.
 */
export async function decide(asked: readonly RequestedSet[], evaluate: MakeEvaluate): Promise<PublicationDecision> {
  const sorted = [...asked].sort((a, b) => (a.name < b.name ? -1 : 1))
  const contents = new Contents(sorted)
  const choice = new Choice(contents, sorted, contained(evaluate(contents)))
  await choice.settleAll()
  return { contents, assignment: choice.assignment, verdicts: choice.verdicts }
}

/** A set whose check throws gets a fault, and the others are judged all the same. */
function contained(evaluate: Evaluate): Evaluate {
  return async (name, assignment) => {
    try {
      return await evaluate(name, assignment)
    } catch (error) {
      if (error instanceof ChecksUnavailable) throw error
      return [crashed('publication', error)]
    }
  }
}

/** Why a set keeps its last good content, by the check that its new content failed. */
const REASONS: Readonly<Record<string, Reason>> = {
  [IMPORTS_PRESENT]: 'ImportMissing',
  [NOT_ATTESTED]: 'AwaitingAttestation',
}

/** Why an import keeps its last good content, by the check that its importer failed with the new content. */
const HOLDS: Readonly<Record<string, Reason>> = {
  [PINNED]: 'ImporterPinned',
  [NOT_ATTESTED]: 'AwaitingAttestation',
  [EMERGENCY_REFUSED]: 'AwaitingAttestation',
}

/** The reasons before anything is found. */
const FIRST: ReadonlySet<Reason | undefined> = new Set<Reason>(['Published', 'Pinned', 'Withdrawn'])
const HELD: ReadonlySet<Reason | undefined> = new Set<Reason>([
  'BreaksImporter',
  'ImporterPinned',
  'AwaitingAttestation',
])

class Choice {
  readonly assignment: Map<string, Version>
  readonly verdicts: Map<string, Verdict>
  readonly #contents: Contents
  /**
   * Sets that lack an import. Their last good content is not tried again, or two steps would undo each other for ever.
   */
  readonly #lost = new Set<string>()
  readonly #evaluate: Evaluate

  constructor(contents: Contents, asked: readonly RequestedSet[], evaluate: Evaluate) {
    this.#contents = contents
    this.#evaluate = evaluate
    this.assignment = new Map(asked.map((each) => [each.name, firstChoice(each)]))
    this.verdicts = new Map(asked.map((each) => [each.name, firstVerdict(each)]))
  }

  /**
   * Judges every set, imports first, and settles those that fail; after each settled set, the sets that it may affect
   * are judged again. A set only moves from its new content, or from none, to its last good one, and from there to
   * none, so this ends.
   */
  async settleAll(): Promise<void> {
    const { order, importers } = importOrder(this.#contents)
    const due = new Due(order)
    for (const name of order) due.add(name)
    for (let name = due.next(); name !== undefined; name = due.next()) {
      if (this.assignment.get(name) === 'none') continue
      const finding = await this.#evaluate(name, this.assignment)
      if (passes(finding)) continue
      for (const settled of await this.#chooseVersion(name, finding))
        for (const concerned of withImporters(settled, importers)) due.add(concerned)
    }
  }

  /** The sets whose content has changed. */
  async #chooseVersion(name: string, finding: Finding): Promise<readonly string[]> {
    const changed = this.#changedImports(name)
    if (this.assignment.get(name) === 'lastGood') return this.#settleLastGood(name, changed, finding)
    if (changed.length === 0) return this.#revert(name, finding)
    const before = this.#with(changed, 'lastGood')
    if (!passes(await this.#evaluate(name, before))) return this.#revert(name, finding)
    const { lastGood } = this.#contents.candidates.get(name) ?? {}
    const importerCanStay = lastGood && passes(await this.#evaluate(name, this.#with([name], 'lastGood')))
    return importerCanStay ? this.#revert(name, finding) : this.#hold(changed, name, finding)
  }

  #settleLastGood(name: string, changed: string[], finding: Finding): readonly string[] {
    if (changed.length > 0) return this.#hold(changed, name, finding)
    // Without its import a set has nothing to pin. Any other fault of published content came with a stricter check, and
    // content that was good once is not removed for that.
    if (firstCheck(finding) !== IMPORTS_PRESENT) return []
    this.#lost.add(name)
    this.#settleAs(name, { version: 'none', reason: 'ImportMissing', ...said(finding) })
    return [name]
  }

  async #revert(name: string, finding: Finding): Promise<readonly string[]> {
    const heldImports = this.#contents.imports(name, this.assignment).filter((each) => this.#isHeld(each))
    const waits = heldImports.length > 0 && passes(await this.#evaluate(name, this.#with(heldImports, 'new')))
    const reason = waits ? 'ImportHeld' : (REASONS[firstCheck(finding)] ?? 'CheckFailed')
    const other = waits && { other: heldImports.join(', ') }
    this.#settleAs(name, { version: this.#fallback(name), reason, ...said(finding), ...other })
    return [name]
  }

  #hold(names: string[], importer: string, finding: Finding): readonly string[] {
    // A pinned importer, and one that lacks an attestation together with the import, are not broken, but they hold the
    // import all the same.
    const reason = HOLDS[firstCheck(finding)] ?? 'BreaksImporter'
    for (const name of names) this.#settleAs(name, { version: 'lastGood', reason, ...said(finding), other: importer })
    return names
  }

  #settleAs(name: string, verdict: Omit<Verdict, 'name'>): void {
    this.assignment.set(name, verdict.version)
    // The first reason about a set's new content stays: a missing import found later is its consequence.
    const known = this.verdicts.get(name)
    this.verdicts.set(
      name,
      FIRST.has(known?.reason) ? { name, ...verdict } : { ...(known as Verdict), version: verdict.version },
    )
  }

  #fallback(name: string): Version {
    return this.#contents.candidates.get(name)?.lastGood ? 'lastGood' : 'none'
  }

  #isHeld(name: string): boolean {
    const reason = this.verdicts.get(name)?.reason
    return HELD.has(reason) && this.#contents.candidates.get(name)?.spec !== undefined
  }

  /** The imports of a set that are to change or be removed, and could stay as they are. */
  #changedImports(name: string): string[] {
    return this.#contents.imports(name, this.assignment).filter((each) => {
      if (!this.#contents.candidates.get(each)?.lastGood || this.#lost.has(each)) return false
      const version = this.assignment.get(each)
      return version === 'none' || (version === 'new' && this.#contents.differs(each))
    })
  }

  #with(names: readonly string[], version: Version): Assignment {
    return replaced(this.assignment, names, version)
  }
}

const firstCheck = (finding: Finding): string => (finding === POSTPONED ? '' : (finding[0]?.check ?? ''))

const said = (finding: Finding): Pick<Verdict, 'faults' | 'isPostponed'> =>
  finding === POSTPONED ? { faults: [], isPostponed: true } : { faults: finding }

function firstChoice(asked: RequestedSet): Version {
  const { spec, lastGood, withdrawn } = asked
  if (withdrawn) return 'none'
  if (holdsPublished(asked)) return 'lastGood'
  if (spec) return 'new'
  return lastGood ? 'lastGood' : 'none'
}

function firstVerdict(asked: RequestedSet): Verdict {
  return {
    name: asked.name,
    version: firstChoice(asked),
    reason: asked.withdrawn ? 'Withdrawn' : asked.pin === undefined ? 'Published' : 'Pinned',
    faults: [],
  }
}
