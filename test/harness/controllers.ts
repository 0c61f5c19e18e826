import { join } from 'node:path'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { startChild } from '../../tools/stack/child.ts'
import type { ControlPlane } from './control-plane.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** What a cluster does by itself, without a node: pods are made and stay pending, and what belongs to something goes with it. */
const CONTROLLERS = [
  'clusterrole-aggregation-controller',
  'deployment-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolumeclaim-protection-controller',
  'replicaset-controller',
  'serviceaccount-controller',
  'statefulset-controller',
]

/** Starts a real kube-controller-manager on a control plane; stop it before the control plane. */
export async function startControllers(plane: ControlPlane): Promise<{ stop(): Promise<void> }> {
  const folder = temporaryDirectory('controllers')
  const child = await startChild({
    name: 'kube-controller-manager',
    command: await ensureBinary('kube-controller-manager'),
    args: [
      ...[`--kubeconfig=${plane.kubeconfig}`, `--controllers=${CONTROLLERS.join(',')}`],
      // Each controller under an account of its own, as in a cluster: policies know it by that name.
      '--use-service-account-credentials=true',
      ...['--leader-elect=false', '--secure-port=0'],
    ],
    logFile: join(folder.path, 'kube-controller-manager.log'),
  })
  return {
    stop: async () => {
      await child.stop()
      folder.remove()
    },
  }
}
