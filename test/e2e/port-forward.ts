import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { freePort } from '../../tools/stack/free-port.ts'
import { kubectl, type Release } from './release.ts'

/** Calls with the address at which a user of the release's NATS reaches it from here, as docs/nats.md says. */
export async function withNatsOf<T>(
  release: Release,
  user: 'admin' | 'backup',
  call: (url: string) => Promise<T>,
): Promise<T> {
  const { name, kubeconfig } = release
  const template = 'go-template={{.data.password | base64decode}}'
  const password = await kubectl(release, ['get', 'secret', `driveaway-nats-${user}`, '-o', template])
  const port = await freePort()
  const args = ['-n', name, 'port-forward', 'service/driveaway-nats', `${port}:4222`]
  const env = { ...process.env, KUBECONFIG: kubeconfig }
  const child = spawn(await ensureBinary('kubectl'), args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    // The first line says that the port is open.
    await once(child.stdout, 'data')
    return await call(`nats://${user}:${password.trim()}@127.0.0.1:${port}`)
  } finally {
    child.kill()
    await once(child, 'close')
  }
}
