import { join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { serverNames } from '../binaries/catalog.ts'
import { ensureBinary } from '../binaries/ensure.ts'
import type { Kubectl } from './apply.ts'
import type { Crew } from './crew.ts'
import { startEtcd } from './etcd.ts'
import { freePort } from './free-port.ts'
import { loadKubeconfig, newIdentity, writeKubeconfig, type Identity } from './identities.ts'
import { startApiServer, type ApiServerOptions } from './kube-apiserver.ts'
import { startNats } from './nats-server.ts'
import { namespace } from './programs.ts'
import { runDirectory } from './settings.ts'

export interface Servers {
  /** kubectl with the administrator's kubeconfig, and the kubeconfig as the client library represents it. */
  kubectl: Kubectl
  kubeConfig: KubeConfig
  kubeconfigs: { operator: string; api: string; inventory: string }
  natsUrl: string
}

type Say = (line: string) => void

/** The paths of all server binaries, which are found or built. */
export async function serverBinaries(say: Say): Promise<Record<(typeof serverNames)[number], string>> {
  const paths: Record<string, string> = {}
  for (const name of serverNames) paths[name] = await ensureBinary(name, { say })
  return paths as Record<(typeof serverNames)[number], string>
}

/** Starts etcd, kube-apiserver and nats-server in `directory`, with Kubernetes users for the operator and each API. */
export async function startServers(crew: Crew, say: Say, directory = runDirectory): Promise<Servers> {
  const binaries = await serverBinaries(say)
  const etcd = await startStore(crew, binaries.etcd, directory)
  say('etcd ready')
  const identities = {
    admin: newIdentity('admin', ['system:masters']),
    operator: newIdentity('driveaway-operator'),
    api: newIdentity('driveaway-api'),
    inventory: newIdentity('driveaway-inventory'),
  }
  const launchApiServer = { binary: binaries['kube-apiserver'], directory, etcdUrl: etcd }
  const server = await startKubernetes(crew, { ...launchApiServer, identities: Object.values(identities) })
  say(`kube-apiserver ready at ${server.url}`)
  const natsUrl = await startMessaging(crew, binaries['nats-server'], directory)
  say(`nats-server ready at ${natsUrl}`)
  const kubeconfigOf = (name: string, identity: Identity) =>
    writeKubeconfig(join(directory, name), { ...server, namespace }, identity)
  const kubeconfig = kubeconfigOf('kubeconfig', identities.admin)
  const kubeconfigs = {
    operator: kubeconfigOf('kubeconfig-operator', identities.operator),
    api: kubeconfigOf('kubeconfig-api', identities.api),
    inventory: kubeconfigOf('kubeconfig-inventory', identities.inventory),
  }
  const kubectl = { binary: binaries.kubectl, kubeconfig }
  return { kubectl, kubeConfig: loadKubeconfig(kubeconfig), kubeconfigs, natsUrl }
}

async function startStore(crew: Crew, binary: string, directory: string): Promise<string> {
  // Chosen once, outside the launch: after a restart, clients must find the server at the same port.
  const ports = { client: await freePort(), peer: await freePort() }
  const logFile = logIn(directory, 'etcd')
  const launch = (signal: AbortSignal) => startEtcd({ binary, directory, logFile, fsync: true, ports, signal })
  return (await crew.start('etcd', launch)).url
}

type Kubernetes = Pick<ApiServerOptions, 'binary' | 'directory' | 'etcdUrl' | 'identities'>

async function startKubernetes(crew: Crew, kubernetes: Kubernetes) {
  const port = await freePort()
  const logFile = logIn(kubernetes.directory, 'kube-apiserver')
  return crew.start('kube-apiserver', (signal) => startApiServer({ ...kubernetes, logFile, port, signal }))
}

async function startMessaging(crew: Crew, binary: string, directory: string): Promise<string> {
  const port = await freePort()
  const logFile = logIn(directory, 'nats-server')
  const server = await crew.start('nats-server', (signal) => startNats({ binary, directory, logFile, port, signal }))
  return server.url
}

const logIn = (directory: string, name: string) => join(directory, 'logs', `${name}.log`)
