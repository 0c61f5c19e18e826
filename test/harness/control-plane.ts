import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { startEtcd } from '../../tools/stack/etcd.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import { loadKubeconfig, newIdentity, writeKubeconfig } from '../../tools/stack/identities.ts'
import { startApiServer } from '../../tools/stack/kube-apiserver.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface ControlPlane {
  url: string
  /** The bearer token of the administrator, a member of system:masters. */
  token: string
  caFile: string
  /** The administrator's kubeconfig: its path, and as the client library has it. */
  kubeconfig: string
  kubeConfig: KubeConfig
  /** The path of a kubeconfig for another user, who may do what RBAC grants that name and nothing else. */
  kubeconfigFor(user: string): string
  kubeConfigFor(user: string): KubeConfig
  apiServerPid(): number
  stopApiServer(): Promise<void>
  /** Starts kube-apiserver again, on the same port with the same data. */
  startApiServer(): Promise<void>
  /** Keeps a copy of everything that is stored now, and returns how to restore etcd to that copy. */
  backUp(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** A real etcd and a real kube-apiserver with RBAC, on free ports, with their data in a folder that goes with them. */
export async function startControlPlane(): Promise<ControlPlane> {
  const folder = temporaryDirectory('control-plane')
  const directory = folder.path
  const admin = newIdentity('admin', ['system:masters'])
  const store = { binary: await ensureBinary('etcd'), directory, logFile: join(directory, 'etcd.log'), fsync: false }
  const ports = { client: await freePort(), peer: await freePort() }
  let etcd = await startEtcd({ ...store, ports })
  const binary = await ensureBinary('kube-apiserver')
  const port = await freePort()
  const launch = () =>
    startApiServer({
      binary,
      directory,
      logFile: join(directory, 'kube-apiserver.log'),
      etcdUrl: etcd.url,
      port,
      identities: [admin],
    })
  let server = await launch()
  /** The data can be copied, and put in place of the present data, only while nobody has them open. */
  const whileStopped = async (change: () => void) => {
    await server.stop()
    await etcd.stop()
    change()
    etcd = await startEtcd({ ...store, ports })
    server = await launch()
  }
  const kubeconfig = writeKubeconfig(join(directory, 'kubeconfig'), server, admin)
  const kubeconfigFor = (user: string) =>
    writeKubeconfig(join(directory, `kubeconfig-${encodeURIComponent(user)}`), server, admin, {
      user,
    })
  return {
    url: server.url,
    token: admin.token,
    caFile: server.caFile,
    kubeconfig,
    kubeConfig: loadKubeconfig(kubeconfig),
    kubeconfigFor,
    kubeConfigFor: (user) => loadKubeconfig(kubeconfigFor(user)),
    apiServerPid: () => server.pid,
    stopApiServer: () => server.stop(),
    startApiServer: async () => {
      await server.stop()
      server = await launch()
    },
    backUp: async () => {
      const [data, copy] = [join(directory, 'etcd'), join(directory, 'etcd-copy')]
      await whileStopped(() => cpSync(data, copy, { recursive: true }))
      return () =>
        whileStopped(() => {
          rmSync(data, { recursive: true })
          cpSync(copy, data, { recursive: true })
        })
    },
    stop: async () => {
      await server.stop()
      await etcd.stop()
      folder.remove()
    },
  }
}
