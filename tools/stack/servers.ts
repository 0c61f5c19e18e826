import { join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { serverNames } from '../binaries/catalog.ts'
import { ensureBinary } from '../binaries/ensure.ts'
import type { Kubectl } from './apply.ts'
import type { Crew } from './crew.ts'
import { startEtcd } from './etcd.ts'
import { freePort } from './free-port.ts'
import { loadKubeconfig, newIdentity, writeKubeconfig, type Identity } from './identities.ts'
import { startApiServer } from './kube-apiserver.ts'
import { startNats } from './nats-server.ts'
import { namespace } from './programs.ts'
import { logDirectory, runDirectory } from './settings.ts'

export interface Servers {
  /** kubectl with the administrator's kubeconfig, and that as the client library has it. */
  kubectl: Kubectl
  kubeConfig: KubeConfig
  kubeconfigs: { operator: string; api: string; inventory: string }
  natsUrl: string
}

type Say = (line: string) => void

/** The path of every server binary, each found or built. */
export async function serverBinaries(say: Say): Promise<Record<(typeof serverNames)[number], string>> {
  const paths: Record<string, string> = {}
  for (const name of serverNames) paths[name] = await ensureBinary(name, { say })
  return paths as Record<(typeof serverNames)[number], string>
}

/** Starts etcd, kube-apiserver and nats-server, with a Kubernetes user for the operator and one for each API. */
export async function startServers(crew: Crew, say: Say): Promise<Servers> {
  const binaries = await serverBinaries(say)
  const etcd = await startStore(crew, binaries.etcd)
  say('etcd ready')
  const identities = {
    admin: newIdentity('admin', ['system:masters']),
    operator: newIdentity('driveaway-operator'),
    api: newIdentity('driveaway-api'),
    inventory: newIdentity('driveaway-inventory'),
  }
  const server = await startKubernetes(crew, binaries['kube-apiserver'], etcd, Object.values(identities))
  say(`kube-apiserver ready at ${server.url}`)
  const natsUrl = await startMessaging(crew, binaries['nats-server'])
  say(`nats-server ready at ${natsUrl}`)
  const kubeconfigOf = (name: string, identity: Identity) =>
    writeKubeconfig(join(runDirectory, name), { ...server, namespace }, identity)
  const kubeconfig = kubeconfigOf('kubeconfig', identities.admin)
  const kubeconfigs = {
    operator: kubeconfigOf('kubeconfig-operator', identities.operator),
    api: kubeconfigOf('kubeconfig-api', identities.api),
    inventory: kubeconfigOf('kubeconfig-inventory', identities.inventory),
  }
  const kubectl = { binary: binaries.kubectl, kubeconfig }
  return { kubectl, kubeConfig: loadKubeconfig(kubeconfig), kubeconfigs, natsUrl }
}

async function startStore(crew: Crew, binary: string): Promise<string> {
  // Chosen once, outside of the launch: a restart must come back where its clients look for it.
  const ports = { client: await freePort(), peer: await freePort() }
  const logFile = join(logDirectory, 'etcd.log')
  const launch = (signal: AbortSignal) =>
    startEtcd({ binary, directory: runDirectory, logFile, fsync: true, ports, signal })
  return (await crew.start('etcd', launch)).url
}

async function startKubernetes(crew: Crew, binary: string, etcdUrl: string, identities: Identity[]) {
  const port = await freePort()
  const logFile = join(logDirectory, 'kube-apiserver.log')
  return crew.start('kube-apiserver', (signal) =>
    startApiServer({ binary, directory: runDirectory, logFile, etcdUrl, port, identities, signal }),
  )
}

async function startMessaging(crew: Crew, binary: string): Promise<string> {
  const port = await freePort()
  const logFile = join(logDirectory, 'nats-server.log')
  const server = await crew.start('nats-server', (signal) =>
    startNats({ binary, directory: runDirectory, logFile, port, signal }),
  )
  return server.url
}
