import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import type { Release } from './release.ts'

/** Calls with the address at which NATS of a release is reached from here, as the pages say: kubectl port-forward. */
export async function withNatsOf<T>({ name, kubeconfig }: Release, call: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort()
  const args = ['-n', name, 'port-forward', 'service/driveaway-nats', `${port}:4222`]
  const env = { ...process.env, KUBECONFIG: kubeconfig }
  const child = spawn(await ensureBinary('kubectl'), args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    // The first line says that the port is open.
    await once(child.stdout, 'data')
    return await call(`nats://127.0.0.1:${port}`)
  } finally {
    child.kill()
    await once(child, 'close')
  }
}
