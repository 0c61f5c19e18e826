import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { waitFor } from '../harness/wait-for.ts'
import { run, timed } from './run.ts'

const NAME = 'driveaway-e2e'

/** A cluster with a node, and how its ports are reached from here. */
export interface Cluster {
  kubeconfig: string
  /** The container that is the node. */
  node: string
  remove(): Promise<void>
}

/** Creates the suite's own cluster by the stock `kind`; one of an earlier run is deleted first. */
export async function createCluster(folder: string, ports: Record<number, number>): Promise<Cluster> {
  const kind = await ensureBinary('kind')
  const kubeconfig = join(folder, 'kubeconfig')
  const configuration = join(folder, 'kind.yaml')
  writeFileSync(configuration, stringify(clusterWith(ports)))
  const image = process.env['KIND_NODE_IMAGE']
  const flags = ['--name', NAME, '--kubeconfig', kubeconfig]
  await run(kind, ['delete', 'cluster', ...flags])
  await timed('kind create cluster', () =>
    run(kind, ['create', 'cluster', ...flags, '--config', configuration, ...(image ? ['--image', image] : [])]),
  )
  await untilUsable(kubeconfig)
  return {
    kubeconfig,
    node: `${NAME}-control-plane`,
    remove: async () => void (await run(kind, ['delete', 'cluster', ...flags])),
  }
}

export async function loadImages(images: string[]): Promise<void> {
  await run(await ensureBinary('kind'), ['load', 'docker-image', '--name', NAME, ...images])
}

function clusterWith(ports: Record<number, number>): object {
  const extraPortMappings = Object.entries(ports).map(([hostPort, containerPort]) => ({
    ...{ hostPort: Number(hostPort), containerPort, listenAddress: '127.0.0.1' },
  }))
  return {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [{ role: 'control-plane', extraPortMappings }],
  }
}

/** Pods need the account that a controller makes, and names need DNS. */
async function untilUsable(kubeconfig: string): Promise<void> {
  const env = { KUBECONFIG: kubeconfig }
  const kubectl = await ensureBinary('kubectl')
  await waitFor('the default service account', () => run(kubectl, ['get', 'serviceaccount', 'default'], { env }), {
    timeoutMs: 60_000,
  })
  await run(kubectl, ['-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=180s'], { env })
}
