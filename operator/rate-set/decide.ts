import type { Fault } from '#rates/engine/fault.ts'
import { Contents, type Assignment, type Candidate, type Evaluate, type Version } from './assignment.ts'
import { IMPORT_MISSING, NOT_ATTESTED } from './checks.ts'

/** Why a set is published as it is. */
export type Reason =
  'Published' | 'Withdrawn' | 'CheckFailed' | 'ImportMissing' | 'ImportHeld' | 'BreaksImporter' | 'AwaitingAttestation'

export interface Verdict {
  name: string
  version: Version
  reason: Reason
  faults: Fault[]
  /** The importer that a held set would break, or the import that a set waits for. */
  other?: string
}

export interface Decision {
  contents: Contents
  assignment: Assignment
  /** One for each set that has an object or is published. */
  verdicts: ReadonlyMap<string, Verdict>
}

/** A candidate, and whether its object asks to be taken out of publication. */
export type Asked = Candidate & { withdrawn?: boolean }

/**
 * Chooses for every set the object's content or the last good one, so that all sets of the choice pass together with
 * their imports; a change that would break an importer is held. The order of `asked` does not matter.
 */
export async function decide(asked: readonly Asked[], evaluate: (contents: Contents) => Evaluate): Promise<Decision> {
  const sorted = [...asked].sort((a, b) => (a.name < b.name ? -1 : 1))
  const contents = new Contents(sorted)
  const choice = new Choice(contents, sorted, evaluate(contents))
  // Every step takes one set back from its new content for good, so there are at most as many steps as sets.
  while (await choice.step());
  return { contents, assignment: choice.assignment, verdicts: choice.verdicts }
}

/** Why a set keeps its last good content, by the check that its new one failed. */
const REASONS: Readonly<Record<string, Reason>> = {
  [IMPORT_MISSING]: 'ImportMissing',
  [NOT_ATTESTED]: 'AwaitingAttestation',
}

class Choice {
  readonly assignment: Map<string, Version>
  readonly verdicts: Map<string, Verdict>
  readonly #contents: Contents
  readonly #evaluate: Evaluate

  constructor(contents: Contents, asked: readonly Asked[], evaluate: Evaluate) {
    this.#contents = contents
    this.#evaluate = evaluate
    this.assignment = new Map(asked.map((each) => [each.name, firstChoice(each)]))
    this.verdicts = new Map(asked.map((each) => [each.name, firstVerdict(each)]))
  }

  /** Settles the first set that does not pass; false when all do. */
  async step(): Promise<boolean> {
    for (const name of this.#importsFirst()) {
      if (this.assignment.get(name) === 'none') continue
      const faults = await this.#evaluate(name, this.assignment)
      if (faults.length > 0 && (await this.#settle(name, faults))) return true
    }
    return false
  }

  async #settle(name: string, faults: Fault[]): Promise<boolean> {
    const changed = this.#changedImports(name)
    if (this.assignment.get(name) === 'lastGood') return this.#settleLastGood(name, changed, faults)
    if (changed.length === 0) return this.#revert(name, faults)
    const before = this.#with(changed, 'lastGood')
    if ((await this.#evaluate(name, before)).length > 0) return this.#revert(name, faults)
    const { lastGood } = this.#contents.candidates.get(name) ?? {}
    const importerCanStay = lastGood && (await this.#evaluate(name, this.#with([name], 'lastGood'))).length === 0
    return importerCanStay ? this.#revert(name, faults) : this.#hold(changed, name, faults)
  }

  #settleLastGood(name: string, changed: string[], faults: Fault[]): boolean {
    if (changed.length > 0) return this.#hold(changed, name, faults)
    // Without its import there is nothing to pin. Any other fault of what is published came with a stricter check,
    // and content that was good once is not taken away for that.
    if (faults[0]?.check !== IMPORT_MISSING) return false
    this.#settleAs(name, { version: 'none', reason: 'ImportMissing', faults })
    return true
  }

  async #revert(name: string, faults: Fault[]): Promise<boolean> {
    const held = this.#contents.imports(name, this.assignment).filter((each) => this.#isHeld(each))
    const waits = held.length > 0 && (await this.#evaluate(name, this.#with(held, 'new'))).length === 0
    const reason = waits ? 'ImportHeld' : (REASONS[faults[0]?.check ?? ''] ?? 'CheckFailed')
    this.#settleAs(name, { version: this.#fallback(name), reason, faults, ...(waits && { other: held.join(', ') }) })
    return true
  }

  #hold(names: string[], importer: string, faults: Fault[]): boolean {
    // An importer that nobody attested with it breaks nothing, and holds it all the same.
    const reason = faults[0]?.check === NOT_ATTESTED ? 'AwaitingAttestation' : 'BreaksImporter'
    for (const name of names) this.#settleAs(name, { version: 'lastGood', reason, faults, other: importer })
    return true
  }

  #settleAs(name: string, verdict: Omit<Verdict, 'name'>): void {
    this.assignment.set(name, verdict.version)
    // What was said first about a set's new content stays: a missing import found later is its consequence.
    const known = this.verdicts.get(name)
    const isFirst = known?.reason === 'Published' || known?.reason === 'Withdrawn'
    this.verdicts.set(name, isFirst ? { name, ...verdict } : { ...(known as Verdict), version: verdict.version })
  }

  #fallback(name: string): Version {
    return this.#contents.candidates.get(name)?.lastGood ? 'lastGood' : 'none'
  }

  #isHeld(name: string): boolean {
    const reason = this.verdicts.get(name)?.reason
    const isHeld = reason === 'BreaksImporter' || reason === 'AwaitingAttestation'
    return isHeld && this.#contents.candidates.get(name)?.spec !== undefined
  }

  /** The imports of a set that are to change or to go, and could stay as they are. */
  #changedImports(name: string): string[] {
    return this.#contents.imports(name, this.assignment).filter((each) => {
      if (!this.#contents.candidates.get(each)?.lastGood) return false
      const version = this.assignment.get(each)
      return version === 'none' || (version === 'new' && this.#contents.differs(each))
    })
  }

  #with(names: readonly string[], version: Version): Assignment {
    return new Map([...this.assignment, ...names.map((name) => [name, version] as const)])
  }

  #importsFirst(): string[] {
    const ordered = new Set<string>()
    for (const name of this.assignment.keys()) {
      for (const imported of this.#contents.imports(name, this.assignment)) ordered.add(imported)
      ordered.add(name)
    }
    return [...ordered]
  }
}

function firstChoice({ spec, lastGood, withdrawn }: Asked): Version {
  if (withdrawn) return 'none'
  if (spec) return 'new'
  return lastGood ? 'lastGood' : 'none'
}

function firstVerdict(asked: Asked): Verdict {
  return {
    name: asked.name,
    version: firstChoice(asked),
    reason: asked.withdrawn ? 'Withdrawn' : 'Published',
    faults: [],
  }
}
