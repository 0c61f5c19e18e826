import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../tools/stack/free-port.ts'
import { charts } from '../charts/render.ts'
import { createCluster, loadImages } from './cluster.ts'
import { buildImages, images, imageSizes } from './images.ts'
import { applyContent, helm, install, kubectl, untilReady, type Release } from './release.ts'
import { timed } from './run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    node: string
    staging: Release
    production: Release
  }
}

const NODE_PORTS = { staging: { pricing: 30080, inventory: 30081 }, production: { pricing: 30090, inventory: 30091 } }

/** A cluster, the images, the kinds, and two releases with rates and clients; gone when the suite has ended. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'driveaway-e2e-'))
  await timed('docker build', buildImages)
  const ports = await hostPorts()
  const cluster = await createCluster(folder, Object.fromEntries(ports.map(({ host, node }) => [host, node])))
  await timed('kind load docker-image', () => loadImages(images))
  process.stderr.write(`e2e: images in MB: ${JSON.stringify(await imageSizes())}\n`)
  const urlOf = (wanted: number) => `http://127.0.0.1:${ports.find(({ node }) => node === wanted)?.host}`
  for (const name of ['staging', 'production'] as const) {
    const { pricing, inventory } = NODE_PORTS[name]
    const urls = { pricingUrl: urlOf(pricing), inventoryUrl: urlOf(inventory) }
    const release = { name, kubeconfig: cluster.kubeconfig, ...urls }
    await timed(`helm install ${name}`, () => bringUp(release, name === 'staging'))
    provide(name, release)
  }
  provide('node', cluster.node)
  return async () => {
    if (process.env['KEEP_CLUSTER']) return
    await cluster.remove()
    rmSync(folder, { recursive: true })
  }
}

async function hostPorts(): Promise<{ node: number; host: number }[]> {
  const nodes = Object.values(NODE_PORTS).flatMap((ports) => Object.values(ports))
  const found: { node: number; host: number }[] = []
  for (const node of nodes) found.push({ node, host: await freePort() })
  return found
}

async function bringUp(release: Release, isFirst: boolean): Promise<void> {
  if (isFirst)
    await helm({ ...release, name: 'default' }, ['install', 'driveaway-crds', join(charts, 'driveaway-crds')])
  const { name } = release
  await createNamespace(release, name)
  // One of each where a second one would only be more to start on a small machine.
  await install(release, isFirst ? [] : ['operator.replicas=1', 'pricing.replicas=1', 'inventory.replicas=1'])
  await applyContent(release)
  for (const api of ['pricing', 'inventory'] as const) await exposeOnNode(release, api)
  await untilReady(release)
}

/** A namespace in which no pod has more rights than a restricted one. */
export async function createNamespace(release: Release, name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  await kubectl(release, ['apply', '-f', '-'], JSON.stringify(namespace))
}

/** A door of the suite's own: in production an Ingress or a Gateway stands there. */
export async function exposeOnNode(release: Release, api: 'pricing' | 'inventory'): Promise<void> {
  const nodePort = NODE_PORTS[release.name as keyof typeof NODE_PORTS][api]
  const service = {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: `outside-${api}` } },
    spec: {
      type: 'NodePort',
      selector: { 'app.kubernetes.io/instance': release.name, 'app.kubernetes.io/component': api },
      ports: [{ port: 80, targetPort: 'http', nodePort }],
    },
  }
  await kubectl(release, ['apply', '-f', '-'], JSON.stringify(service))
}
