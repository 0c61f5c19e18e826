import { parseArgs } from 'node:util'
import { connectTo, listRateSets, type RateSetObject } from './cluster.ts'
import type { Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { asJson, oneOf } from './output.ts'
import { askAddresses, askPods, type Process } from './processes.ts'
import { statusLines, type SetStatus } from './status-lines.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['status [--context NAME] [--namespace NAME] [--health-url URL]…'],
  about:
    'Shows what a cluster publishes and what each API process has loaded: each rate set with its conditions, each process with its release and what it lacks. The command finds the processes behind the Services of the API and reaches them through the API server; without pods, or without permission to reach them, name their health ports.',
  options: [
    ['--context NAME', 'a context of KUBECONFIG (default: the current context)'],
    ['--namespace NAME', 'the namespace of the release (default: that of the context, or driveaway)'],
    ['--health-url URL', 'the health port of an API process; repeatable'],
    ['--output json', 'the result as JSON'],
  ],
  examples: [
    ['status --context production', 'is every rate set ready, and does every process serve it?'],
    ['status --health-url "$HEALTH_URL"', 'the local stack, after: source .run/env'],
  ],
  exits: {
    done: 'every rate set is ready, and every process serves it',
    refused: 'a rate set is not ready, or a process does not serve it',
  },
}

export const options = {
  context: { type: 'string' },
  namespace: { type: 'string' },
  'health-url': { type: 'string', multiple: true, default: [] as string[] },
  output: OUTPUT,
} as const

/** Prints the state of a cluster; returns 1 when a set is not ready or a process does not serve what is published. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({ args, options })
  const output = oneOf('output', values.output, options.output.choices)
  const place = connectTo(values.context, values.namespace)
  const objects = await listRateSets(place)
  const urls = values['health-url']
  const processes = urls.length > 0 ? await askAddresses(urls) : await askPods(place)
  const sets = objects.map((object) => statusOf(object, processes))
  if (output === 'json') terminal.write(asJson({ sets, processes }))
  else for (const line of statusLines(sets, processes, terminal)) terminal.write(line)
  if (sets.length === 0) terminal.note(`no rate set was found in the namespace ${place.namespace}`)
  const isWell = sets.length > 0 && sets.every(({ ready, behind }) => ready === 'True' && behind.length === 0)
  return isWell && processes.every(({ fault, loaded }) => fault === undefined && !loaded?.lastError) ? 0 : 1
}

const UNSEEN = { status: 'Unknown', reason: 'NotYetSeen', message: '', lastTransitionTime: null }

function statusOf({ metadata: { name }, status = {} }: RateSetObject, processes: readonly Process[]): SetStatus {
  const { digest = null, conditions = [] } = status
  const condition = (conditionType: string) => conditions.find(({ type }) => type === conditionType) ?? UNSEEN
  const { status: ready, reason, message } = condition('Ready')
  const loaded = condition('Loaded')
  const hurried = condition('Emergency')
  const emergency = hurried.status === 'True' ? hurried.message : null
  const since = status.servedSince ?? loaded.lastTransitionTime
  const behind = processes.filter((one) => isBehind(one, name, digest)).map((one) => one.name)
  return { name, ready, reason, message, loaded: loaded.message, since, digest, emergency, behind }
}

/**
 * Whether a process that loads rates serves other content. A process that did not answer is reported once, not for each
 * set.
 */
const isBehind = ({ loaded }: Process, name: string, digest: string | null): boolean =>
  digest !== null && loaded !== undefined && (loaded.parts?.includes('rates') ?? true) && loaded.sets[name] !== digest
