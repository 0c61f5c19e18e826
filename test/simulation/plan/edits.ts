import { RATES_INDEX, CLIENTS_INDEX, SIGNING_KEYS_SECRET, PUBLISHED_LABEL } from '#rates/published/format.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { pick, type Chance } from '../schedule/chance.ts'
import type { StoredObject } from '../server/object.ts'
import type { Editor } from './editor.ts'
import type { Emphasis } from './emphasis.ts'
import {
  brokenSet,
  CLIENTS,
  CODES,
  coupledSet,
  crowdedSet,
  clientSpec,
  dividingSet,
  goodSet,
  misnamedSet,
  nameOf,
  nestedSet,
  variedSet,
  withdrawn,
  type Code,
} from './contents.ts'

/** One thing that people, other controllers or machines do, at some moment of a simulation. */
export interface Edit {
  /** `edit 3`. */
  id: string
  /** Calls that programs have made by then. */
  at: number
  kind: string
  /** For people. */
  what: string
  run: (editor: Editor) => void
}

type Made = Pick<Edit, 'what' | 'run'>
type Make = (chance: Chance, n: number) => Made

const anyCode = (chance: Chance): Code => pick(chance, CODES)
const anyState = (chance: Chance) => (chance() < 0.5 ? 'AU_VIC' : 'AU_NSW') as Exclude<Code, 'AU'>

function applies(code: Code, what: string, spec: RateSetSpec): Made {
  return { what: `${nameOf(code)}: ${what}`, run: (editor) => editor.applySet(code, spec) }
}

const isLabelled = (label: string) => (object: StoredObject) => object.metadata.labels?.[PUBLISHED_LABEL] === label
const isHistory = ({ metadata }: StoredObject) => metadata.name.endsWith('-history')

/** Only where seeds dwell on it: such an edit takes its time. */
const NEVER = 0

/** What happens, and how often beside the others. */
const MAKES: Record<string, [weight: number, make: Make]> = {
  'good edit': [
    34,
    (chance) => {
      const n = Math.floor(chance() * 4)
      const code = anyCode(chance)
      return applies(code, `fee ${n + 1}.00`, goodSet(code, n))
    },
  ],
  'bad edit': [
    8,
    (chance, n) => {
      const code = anyCode(chance)
      return chance() < 0.6
        ? applies(code, 'an example that fails', brokenSet(code, n))
        : applies(code, 'another pricing code', misnamedSet(code, n))
    },
  ],
  'edit that divides by zero': [3, (chance) => ((code) => applies(code, 'per 0', dividingSet(code)))(anyCode(chance))],
  'edit of nested classes': [
    NEVER,
    (chance) => ((code) => applies(code, 'classes in classes', nestedSet(code)))(anyState(chance)),
  ],
  'edit of many cases': [
    NEVER,
    (chance) => ((code) => applies(code, 'cases that nothing is left to', crowdedSet(code)))(anyState(chance)),
  ],
  'coupled edit': [
    6,
    (chance) => {
      const n = Math.floor(chance() * 4)
      const code = anyState(chance)
      return applies(code, `charges the federal fee, expects ${n + 1}.00`, coupledSet(code, n))
    },
  ],
  withdrawal: [3, (chance) => ((code) => applies(code, 'withdrawn', withdrawn(goodSet(code, 0))))(anyState(chance))],
  'rate set deleted': [
    3,
    (chance) => {
      const code = anyState(chance)
      return { what: `${nameOf(code)} is deleted`, run: (editor) => editor.deleteSet(code) }
    },
  ],
  'client edit': [
    16,
    (chance) => {
      const name = pick(chance, CLIENTS)
      const n = Math.floor(chance() * 8)
      const suspended = chance() < 0.4
      const what = `client ${name}: variant ${n}${suspended ? ', suspended' : ''}`
      return { what, run: (editor) => editor.applyClient(name, clientSpec(name, n, { suspended })) }
    },
  ],
  'bad client': [
    5,
    (chance, n) => {
      const name = pick(chance, CLIENTS)
      const suspended = chance() < 0.5
      const spec = { ...clientSpec(name, n, { suspended, secret: 'a..b' }) }
      const what = `client ${name}: a Secret of a name that is none${suspended ? ', suspended' : ''}`
      return { what, run: (editor) => editor.applyClient(name, spec) }
    },
  ],
  'client deleted': [
    3,
    (chance) => {
      const name = pick(chance, CLIENTS)
      return { what: `client ${name} is deleted`, run: (editor) => editor.deleteClient(name) }
    },
  ],
  'client Secret deleted': [
    4,
    (chance) => {
      const name = pick(chance, CLIENTS)
      return { what: `the Secret of ${name} is deleted`, run: (editor) => editor.deleteSecret(name) }
    },
  ],
  'client Secret of another type': [
    2,
    (chance) => {
      const name = pick(chance, CLIENTS)
      return { what: `the Secret of ${name} is of another type`, run: (editor) => editor.takeSecret(name) }
    },
  ],
  'shard deleted': [
    5,
    (chance) => {
      const [label, luck] = [chance() < 0.6 ? 'rates' : 'clients', chance()]
      return { what: `a shard of ${label} is deleted`, run: (editor) => editor.deleteOne(isLabelled(label), luck) }
    },
  ],
  'index deleted': [
    3,
    (chance) => {
      const name = chance() < 0.6 ? RATES_INDEX : CLIENTS_INDEX
      return { what: `${name} is deleted`, run: (editor) => editor.deleteConfigMap(name) }
    },
  ],
  'index broken': [
    2,
    (chance) => {
      const name = chance() < 0.6 ? RATES_INDEX : CLIENTS_INDEX
      return { what: `${name} is overwritten`, run: (editor) => editor.breakConfigMap(name) }
    },
  ],
  'history deleted': [
    3,
    (chance) =>
      ((luck) => ({ what: 'a history is deleted', run: (editor: Editor) => editor.deleteOne(isHistory, luck) }))(
        chance(),
      ),
  ],
  'signing keys deleted': [
    2,
    () => ({ what: 'the signing keys are deleted', run: (editor) => editor.deleteSecret(SIGNING_KEYS_SECRET, true) }),
  ],
  'time jump': [
    4,
    (chance) => {
      const minutes = Math.round((chance() - 0.5) * 20)
      const luck = chance()
      return {
        what: `the clock of a program jumps by ${minutes} min`,
        run: (editor) => editor.skew(luck, minutes * 60_000),
      }
    },
  ],
  'operator killed': [
    4,
    (chance) =>
      ((luck) => ({ what: 'an operator is killed', run: (editor: Editor) => editor.killOperator(luck) }))(chance()),
  ],
  'reader killed': [
    4,
    (chance) =>
      ((luck) => ({ what: 'a reader is killed', run: (editor: Editor) => editor.killReader(luck) }))(chance()),
  ],
  'leader changed': [
    10,
    (chance) => {
      const [luck, both] = [chance(), chance() < 0.3]
      return {
        what: both ? 'both operators lead' : 'another operator leads',
        run: (editor) => editor.changeLeader(luck, both),
      }
    },
  ],
  'one of many contents': [
    NEVER,
    (chance) => {
      const [code, n] = [anyCode(chance), Math.floor(chance() * 12)]
      return applies(code, `fee ${n}.50`, variedSet(code, n))
    },
  ],
  'suspension switched': [
    NEVER,
    (chance) => {
      const [name, suspended] = [pick(chance, CLIENTS), chance() < 0.5]
      const what = `client ${name}: ${suspended ? 'suspended' : 'not suspended'}`
      return { what, run: (editor) => editor.applyClient(name, clientSpec(name, 0, { suspended })) }
    },
  ],
  'edit of one state': [
    NEVER,
    (chance) => ((n) => applies('AU_NSW', `fee ${n + 1}.00`, goodSet('AU_NSW', n)))(Math.floor(chance() * 4)),
  ],
  'the first operator leads': [
    NEVER,
    () => ({ what: 'the first operator leads', run: (editor) => editor.changeLeader(0, false) }),
  ],
  'both operators lead': [
    NEVER,
    (chance) =>
      ((luck) => ({ what: 'both operators lead', run: (editor: Editor) => editor.changeLeader(luck, true) }))(chance()),
  ],
  'index of mixed contents': [
    NEVER,
    () => ({ what: 'an earlier federal set is put into the index', run: (editor) => editor.mixIndex(nameOf('AU')) }),
  ],
  'history compacted': [3, () => ({ what: 'the server forgets its past', run: (editor) => editor.compact() })],
  'watches half-open': [
    3,
    (chance) => {
      const luck = chance()
      return { what: 'all watches of a program fall silent', run: (editor) => editor.silence(luck) }
    },
  ],
}

type Weights = readonly (readonly [kind: string, weight: number])[]

/** The edits of one seed, in order of their moments. */
export function planOf(
  chance: Chance,
  { count, spacing, emphasis }: { count: number; spacing: number; emphasis: Emphasis },
): Edit[] {
  const weights = weightsOf(emphasis)
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let at = 60
  return Array.from({ length: count }, (_, n) => {
    // Edits come in bursts, with pauses between.
    at += chance() < 0.5 ? Math.floor(chance() * 4) : Math.floor(chance() * 2 * spacing)
    const kind = kindAt(weights, chance() * total)
    return { id: `edit ${n + 1}`, at, kind, ...(MAKES[kind] as [number, Make])[1](chance, n) }
  })
}

function weightsOf({ weights, others }: Emphasis): Weights {
  return Object.entries(MAKES).map(([kind, [weight]]) => [kind, weights[kind] ?? weight * others])
}

function kindAt(weights: Weights, position: number): string {
  let left = position
  for (const [kind, weight] of weights) {
    left -= weight
    if (left < 0) return kind
  }
  return 'good edit'
}
