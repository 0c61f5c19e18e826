import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { clientCredentials } from '../../tools/stack/addresses.ts'
import type { Child } from '../../tools/stack/child.ts'
import { applyContent } from '../../tools/stack/content.ts'
import { launchProgram, type Program } from '../../tools/stack/programs.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { askedBy, programsOn } from '../harness/programs.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')

export interface Stack {
  controlPlane: ControlPlane
  pricingUrl: string
  healthUrl: string
  secretOf(client: string): Promise<string>
  /** Runs kubectl in the namespace of the rate sets, with `input` as its standard input. */
  kubectl(args: string[], input?: string): Promise<string>
  operator(): Child
  startOperator(): Promise<Child>
  stop(): Promise<void>
}

/** Which of the planned programs are started, and how; the operator asks the API processes that are. */
export type Choose = (plan: Program[]) => Program[]

const operatorAndPricing: Choose = (plan) => plan.filter(({ name }) => ['operator', 'pricing'].includes(name))

/**
 * The control plane, the operator and the pricing API as real processes, with the committed rate sets and demo clients;
 * `before` is done when the objects are there and no program runs yet.
 */
export async function startStack(
  choose = operatorAndPricing,
  before: (controlPlane: ControlPlane) => Promise<void> = () => Promise.resolve(),
): Promise<Stack> {
  const controlPlane = await startControlPlane()
  const folder = temporaryDirectory('stack')
  const access = { binary: await ensureBinary('kubectl'), kubeconfig: controlPlane.kubeconfig }
  await applyContent(access, root, () => undefined)
  await before(controlPlane)
  const plan = askedBy(choose(await programsOn(controlPlane)))
  const logDirectory = join(folder.path, 'logs')
  mkdirSync(logDirectory)
  const launch = (name: string) =>
    launchProgram(
      plan.find((program) => program.name === name)!,
      { root, logDirectory },
    )
  // Together: a key signs only when the API has it, the API is ready only when the operator has published.
  const others = plan.filter(({ name }) => name !== 'operator').map(({ name }) => launch(name))
  const [first, ...children] = await Promise.all([launch('operator'), ...others])
  let operator = first
  const pricingEnv = plan.find(({ name }) => name === 'pricing')!.env
  return {
    controlPlane,
    pricingUrl: `http://127.0.0.1:${pricingEnv['PRICING_PORT']}`,
    healthUrl: `http://127.0.0.1:${pricingEnv['HEALTH_PORT']}`,
    secretOf: async (client) => {
      const found = await clientCredentials(controlPlane.kubeConfig)
      return found[`${client.toUpperCase()}_CLIENT_SECRET`]!
    },
    kubectl: (args, input) => kubectl(controlPlane.kubeconfig, args, input),
    operator: () => operator,
    startOperator: async () => (operator = await launch('operator')),
    stop: async () => {
      await Promise.all([operator, ...children].map((child) => child.stop()))
      await controlPlane.stop()
      folder.remove()
    },
  }
}

async function kubectl(kubeconfig: string, args: string[], input?: string): Promise<string> {
  const binary = await ensureBinary('kubectl')
  const running = promisify(execFile)(binary, ['--kubeconfig', kubeconfig, '--namespace', 'driveaway', ...args])
  running.child.stdin?.end(input ?? '')
  return (await running).stdout
}
