import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { clientCredentials } from '../../tools/stack/addresses.ts'
import { apply, untilEstablished } from '../../tools/stack/apply.ts'
import { launchProgram } from '../../tools/stack/programs.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { askedBy, programsOn } from '../harness/programs.ts'

/** A place to which rates are published: a control plane of its own, without any rates yet. */
export interface Region {
  controlPlane: ControlPlane
  pricingUrl: string
  secretOf(client: string): Promise<string>
  /** Starts the operator, with these settings too, and the pricing API; returns when both are ready, which takes rates. */
  start(settings: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** A region whose kinds, rights, clients and programs are those of a clone, with its logs in `logDirectory`. */
export async function newRegion(clone: string, logDirectory: string): Promise<Region> {
  const controlPlane = await startControlPlane()
  mkdirSync(logDirectory)
  const kubectl = { binary: await ensureBinary('kubectl'), kubeconfig: controlPlane.kubeconfig }
  await apply(kubectl, join(clone, 'crds/manifests'))
  await untilEstablished(kubectl)
  for (const path of ['tools/stack/namespaces.yaml', 'tools/stack/rbac']) await apply(kubectl, join(clone, path))
  await apply(kubectl, join(clone, 'test/demo/clients'), 'driveaway')
  const plan = await programsOn(controlPlane)
  const [operator, pricing] = askedBy(plan.filter(({ name }) => ['operator', 'pricing'].includes(name)))
  const children: { stop(): Promise<void> }[] = []
  return {
    controlPlane,
    pricingUrl: `http://127.0.0.1:${pricing!.env['PRICING_PORT']}`,
    secretOf: async (client) =>
      (await clientCredentials(controlPlane.kubeConfig))[`${client.toUpperCase()}_CLIENT_SECRET`]!,
    start: async (settings) => {
      const set = { ...operator!, env: { ...operator!.env, ...settings } }
      const launched = [set, pricing!].map((each) => launchProgram(each, { root: clone, logDirectory }))
      children.push(...(await Promise.all(launched)))
    },
    stop: async () => {
      await Promise.all(children.map((child) => child.stop()))
      await controlPlane.stop()
    },
  }
}
