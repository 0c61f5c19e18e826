import { checkRest } from './invariants/rest.ts'
import { Violation } from './invariants/violation.ts'
import { CLIENTS, clientSpec, CODES, goodSet } from './plan/contents.ts'
import { planOf, type Edit } from './plan/edits.ts'
import { Editor, unlessRefused, type Machines } from './plan/editor.ts'
import { emphasisOf } from './plan/emphasis.ts'
import { chanceOf } from './schedule/chance.ts'
import { Faults, type Allowed, type Happened } from './schedule/faults.ts'
import { outside } from './schedule/outside.ts'
import { World } from './world.ts'

export interface Outcome {
  violation: Violation | undefined
  calls: number
  steps: number
  crashes: number
  /** Milliseconds of the simulation's own time. */
  time: number
  /** Edits and faults that happened, in order: what a shortened run leaves out. */
  happened: Happened[]
  /** How often each kind of edit and fault happened. */
  counts: ReadonlyMap<string, number>
  /** The last steps. */
  trace: readonly string[]
  emphasis: string | undefined
}

export interface Options {
  onState?: (state: number) => void
  /** Which edits and faults are let through; by default all. */
  allowed?: Allowed
  /** Steps that are kept of the trace. */
  traced?: number
  /** Rules that are let be broken. */
  unchecked?: ReadonlySet<string>
  /** Name of what the seed dwells on: `plan/emphasis.ts`; by default on everything. */
  emphasis?: string | undefined
}

const MOST_STEPS = 60_000
/** Milliseconds of rest after which nothing more is expected: longer than every back-off, lease and probe. */
const QUIET_MS = 40_000
/** Milliseconds after the last fault: a silent watch is found out within 75 s. */
const HEALED_MS = 100_000
const MOST_MS = 1_200_000

/** One execution, decided by one number: chaos, then rest. */
export async function simulate(seed: number, options: Options = {}): Promise<Outcome> {
  outside.begin()
  try {
    const run = new Run(seed, options)
    await run.chaos()
    if (!run.world.violation) await run.rest()
    return run.outcome()
  } finally {
    outside.end()
  }
}

class Run {
  readonly world: World
  readonly #faults: Faults
  readonly #edits: Edit[]
  readonly #editor: Editor
  readonly #allowed: Allowed
  readonly #trace: string[] = []
  readonly #traced: number
  readonly #emphasis: string | undefined
  #edited = 0

  constructor(seed: number, options: Options) {
    const { onState = () => undefined, allowed = () => true, traced = 0, unchecked = new Set<string>() } = options
    const chance = chanceOf(seed ^ 0x0ed17)
    const emphasis = emphasisOf(options.emphasis)
    const drawn = { isElected: chance() < 0.25, isAttested: chance() < 0.2, readers: chance() < 0.5 ? 2 : 3 }
    const profile = { ...drawn, ...emphasis.profile }
    // Some seeds have few faults, so that what comes of edits alone is seen too.
    const drawnHarm = chance() < 0.2 ? 0 : chance() * 2
    const harm = emphasis.harm ?? drawnHarm
    const spacing = 1 + Math.floor(chance() * 8)
    const drawnPlan = { count: 120 + Math.floor(chance() * 480), spacing }
    this.#edits = planOf(chance, { ...drawnPlan, ...emphasis.plan, emphasis })
    this.#allowed = allowed
    this.#traced = traced
    this.#emphasis = options.emphasis
    this.#faults = new Faults(seed, sharesOf(harm, emphasis.delayed), allowed)
    this.world = new World(seed, { faults: this.#faults, profile, onState, unchecked })
    this.#editor = new Editor(this.world.server, machinesOf(this.world), (code, spec) => this.world.attest(code, spec))
  }

  async chaos(): Promise<void> {
    const { world } = this
    for (const code of CODES) this.#editor.applySet(code, goodSet(code, 0))
    for (const [n, name] of CLIENTS.slice(0, 2).entries()) this.#editor.applyClient(name, clientSpec(name, n))
    world.start()
    const end = (this.#edits.at(-1)?.at ?? 0) + 40
    while (this.#faults.calls < end && !world.violation && world.scheduler.steps < MOST_STEPS) {
      this.#editAtLast()
      await this.#step()
    }
  }

  async rest(): Promise<void> {
    const { world } = this
    this.#faults.isOver = true
    const healedAt = world.scheduler.time
    const [leader, ...others] = world.operators.filter(({ leads }) => leads)
    if (!leader) world.lead(world.operators[0] as never)
    // By the lease, whoever leads beside another learns of it.
    for (const each of others) world.depose(each, 0)
    while (!world.violation) {
      await this.#step()
      const { time, steps } = world.scheduler
      if (time - world.writtenAt > QUIET_MS && time - healedAt > HEALED_MS) break
      if (time - healedAt > MOST_MS || steps > 2 * MOST_STEPS)
        return world.guard(() => {
          throw new Violation(
            'comes-to-rest',
            `still writing ${Math.round((time - healedAt) / 1000)} s after the last fault`,
          )
        })
    }
    const readers = world.readers.flatMap(({ program }) => program ?? [])
    const { rates, clients, keys, profile } = world
    if (!world.violation)
      world.guard(() =>
        checkRest({
          ...{ readers, rates, clients, keys },
          storage: world.server.storage,
          isAttested: profile.isAttested,
        }),
      )
  }

  outcome(): Outcome {
    const { violation, scheduler } = this.world
    const { calls, happened, counts } = this.#faults
    const crashes = ['crash', 'crash before', 'crash after', 'operator killed', 'reader killed']
    return {
      ...{ violation, calls, happened, counts, trace: this.#trace, emphasis: this.#emphasis },
      ...{ steps: scheduler.steps, time: scheduler.time },
      crashes: crashes.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0),
    }
  }

  async #step(): Promise<void> {
    const what = await this.world.scheduler.step()
    if (this.world.profile.isElected) this.world.checkElection()
    if (this.world.profile.isCalm) this.world.guard(() => this.world.prompt.check())
    if (this.#traced > 0 && what !== 'time') {
      this.#trace.push(`${(this.world.scheduler.time / 1000).toFixed(1)} s  ${what}`)
      if (this.#trace.length > this.#traced) this.#trace.shift()
    }
  }

  #editAtLast(): void {
    for (
      let edit = this.#edits[this.#edited];
      edit && edit.at <= this.#faults.calls;
      edit = this.#edits[this.#edited]
    ) {
      this.#edited += 1
      const { id, kind, what, run } = edit
      if (!this.#allowed(id)) continue
      this.#faults.happened.push({ id, fault: kind, on: what })
      this.#faults.count(kind)
      if (this.#traced > 0) this.#trace.push(`${(this.world.scheduler.time / 1000).toFixed(1)} s  EDIT ${what}`)
      unlessRefused(() => this.world.as('editor', () => run(this.#editor)))
    }
  }
}

function sharesOf(harm: number, delayed?: number) {
  const share = (percent: number) => (percent / 100) * harm
  return {
    calls: [
      { fault: 'crash before' as const, share: share(0.25) },
      { fault: 'crash after' as const, share: share(0.25) },
      { fault: 'refused' as const, share: share(0.6) },
      { fault: 'lost' as const, share: share(0.6) },
      { fault: 'lost before' as const, share: share(0.1) },
      { fault: 'slow' as const, share: share(0.1) },
      { fault: 'delayed' as const, share: delayed ?? share(0.3) },
    ],
    events: [
      { fault: 'crash' as const, share: share(0.2) },
      { fault: 'dropped' as const, share: share(1) },
      { fault: 'half-open' as const, share: share(0.6) },
      { fault: 'compacted' as const, share: share(0.4) },
    ],
  }
}

function machinesOf(world: World): Machines {
  const at = <T>(machines: readonly T[], luck: number) => machines[Math.floor(luck * machines.length)] as T
  const all = () => [...world.operators, ...world.readers]
  return {
    skew: (luck, ms) => at(all(), luck).skew(ms),
    killOperator: (luck) => world.kill(at(world.operators, luck)),
    killReader: (luck) => world.kill(at(world.readers, luck)),
    changeLeader: (luck, both) => {
      if (world.profile.isElected) return
      const chosen = at(world.operators, luck)
      for (const operator of world.operators) {
        if (operator === chosen || both) {
          if (!operator.leads) world.lead(operator)
        } else if (operator.leads) world.depose(operator, luck * 3000)
      }
    },
    silence: (luck) => at(all(), luck).life?.silence(),
  }
}
