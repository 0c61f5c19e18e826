import { parseArgs } from 'node:util'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { isDate } from '#rates/engine/dates.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { readRateSets } from '#rates/files/read.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { connectTo, listRateSets } from './cluster.ts'
import { WrongCall, type Help } from './help.ts'
import { parseKept } from './kept-files.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import { correctionsOf } from './promotion/corrections.ts'
import { lastPromotion } from './promotion/last-promotion.ts'
import { hoursNote, signEmergencies } from './promotion/emergency.ts'
import { readOverlay, writeOverlay } from './promotion/overlay.ts'
import { planPromotion, type Promoted, type Staged, type Step } from './promotion/plan.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'promote --from CONTEXT --to OVERLAY [--rates DIR] [--namespace NAME] [--allow-past] [--output text|json]',
    'promote --emergency --reason TEXT --key FILE --set NAME... --to OVERLAY [--hours N] [--rates DIR] [--output text|json]',
  ],
  about:
    'Copies the attestations of a cluster into an overlay, for the rate sets in the files, as the annotation that production requires. A set whose current content is not attested is refused with the reason, and the overlay keeps its earlier attestation. The command sends nothing: it changes files, for a pull request. With --emergency, an emergency key signs the named sets in the files without staging: production publishes them and reports the emergency, and the signature expires.',
  options: [
    ['--from CONTEXT', 'the context of KUBECONFIG of the cluster that attests: staging'],
    ['--to OVERLAY', 'the folder of the overlay, such as rates/overlays/production-apac'],
    ['--rates DIR', 'the rate sets of the overlay (default: rates/sets)'],
    ['--namespace NAME', 'the namespace of the rate sets (default: that of the context, or driveaway)'],
    ['--allow-past', 'also promote a set that changes days already past'],
    ['--emergency', 'sign without staging, with a key of promotion.emergencyKeys'],
    ['--reason TEXT', 'the reason; the attestation, the overlay, the status and the event show it'],
    ['--key FILE', 'the private key, a JWK as attestation-key writes it'],
    ['--set NAME', 'a rate set to sign, such as au-vic-fy27; repeatable'],
    ['--hours N', 'how long the signature is valid (default: 24; at most 720, and what production accepts)'],
    ['--today DATE', 'the day to use as today; days before it are past'],
  ],
  examples: [
    ['promote --from staging --to rates/overlays/production-apac', 'promote what staging attested'],
    [
      "promote --emergency --reason 'duty band wrong' --key emergency.json --set au-vic-fy27 --to rates/overlays/production-apac",
      'sign one set without staging, for 24 hours',
    ],
  ],
  exits: { done: 'the overlay has an attestation of every set', refused: 'a set is refused' },
}

export const options = {
  from: { type: 'string' },
  to: { type: 'string', path: 'folder' },
  rates: { type: 'string', default: 'rates/sets', path: 'folder' },
  namespace: { type: 'string' },
  today: { type: 'string' },
  emergency: { type: 'boolean', default: false },
  reason: { type: 'string' },
  key: { type: 'string', path: 'file' },
  set: { type: 'string', multiple: true, default: [] as string[] },
  hours: { type: 'string', default: '24' },
  'allow-past': { type: 'boolean', default: false },
  output: OUTPUT,
} as const

/** Writes the attestations of a cluster into an overlay; returns 1 when a set is refused. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args, options })
  const output = oneOf('output', values.output, options.output.choices)
  const steps = values.emergency ? await breakGlass(values, terminal) : await promote(values)
  if (output === 'json') terminal.write(asJson({ from: values.from, to: values.to, sets: steps }))
  else for (const line of linesOf(steps, terminal)) terminal.write(line)
  return steps.some(({ result }) => result === 'refused') ? 1 : 0
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** Writes an emergency attestation, signed by a break-glass key, beside the attestations in the overlay. */
async function breakGlass(values: Values, terminal: Terminal): Promise<Step[]> {
  const { to, rates, set, reason, key, hours } = values
  if (to === undefined) throw new WrongCall('expected --to')
  if (values.from !== undefined) throw new WrongCall('--emergency signs without a cluster: --from does not go with it')
  const overlay = readOverlay(to)
  const call = { sets: set, reason, keyFile: key, hours }
  const steps = await signEmergencies(readSets(rates).sets, call, new Date())
  const note = hoursNote(hours)
  if (note !== undefined) terminal.note(note)
  writeOverlay(to, new Map([...overlay, ...attestationsOf(steps, overlay)]))
  return steps
}

async function promote(values: Values): Promise<Step[]> {
  const { from, to, rates, namespace } = values
  if (from === undefined || to === undefined) throw new WrongCall('expected --from and --to')
  const today = values.today ?? new Date().toISOString().slice(0, 10)
  if (!isDate(today)) throw new WrongCall(`--today: expected a day YYYY-MM-DD, found ${today}`)
  const overlay = readOverlay(to)
  const { specs, sets } = readSets(rates, parseKept)
  const staged = await readStaged(from, namespace)
  const objections = values['allow-past']
    ? new Map<string, string>()
    : correctionsOf(specs, lastPromotion(to, rates), today)
  const steps = planPromotion(sets, { staged, overlay, objections })
  writeOverlay(to, attestationsOf(steps, overlay))
  return steps
}

/** The rate sets of a folder that would be published, with the digests that an operator will compute. */
function readSets(folder: string, parseText = parse): { specs: RateSetSpec[]; sets: Promoted[] } {
  const files = readRateSets([folder], parseText)
  const [fault] = files.flatMap(({ faults }) => faults)
  if (fault) throw new WrongCall(`${folder} has faults; see: driveaway lint ${folder}`)
  const { digests } = compileRateSets(files)
  const specs = files.map(({ spec }) => spec as RateSetSpec).filter(({ withdrawn }) => !withdrawn)
  const sets = specs.map(({ pricingCode, financialYear, imports = [] }) => {
    const name = rateSetName(pricingCode, financialYear)
    const imported = imports.map((code) => rateSetName(code, financialYear))
    return { name, pricingCode, financialYear, digest: digests[name] ?? '', imports: imported }
  })
  return { specs, sets }
}

async function readStaged(context: string, namespace: string | undefined): Promise<Map<string, Staged>> {
  const objects = await listRateSets(connectTo(context, namespace))
  return new Map(objects.map(({ metadata: { name }, status = {} }) => [name, status]))
}

/** The attestations that the overlay should have: none for a removed set, the earlier one for a refused set. */
function attestationsOf(steps: readonly Step[], overlay: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    steps.flatMap(({ name, attestation = overlay.get(name) }): [string, string][] =>
      attestation === undefined ? [] : [[name, attestation]],
    ),
  )
}

function linesOf(steps: readonly Step[], { paint }: Terminal): string[] {
  const width = Math.max(0, ...steps.map(({ name }) => name.length))
  const lines = steps.map(({ name, digest, result, reason, ...attested }) => {
    const about = reason ?? `${attested.environment}, by key ${attested.kid}, on ${attested.attestedAt?.slice(0, 10)}`
    const style = result === 'refused' ? 'red' : result === 'written' ? 'green' : 'dim'
    return `${name.padEnd(width)}  ${digest.slice(7, 19)}  ${paint(style, result.padEnd(9))}  ${about}`
  })
  const count = (outcome: Step['result']) => steps.filter(({ result }) => result === outcome).length
  const sum = `${counted(steps.length, 'rate set')}: ${count('written')} written, ${count('unchanged')} unchanged, ${count('refused')} refused`
  return [...lines, sum]
}
