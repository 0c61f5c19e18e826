import type { KubernetesObject, V1PodSpec, V1PodTemplateSpec } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { configure as configureApi } from '../../api/configuration.ts'
import { configure as configureWorker } from '../../worker/configuration.ts'
import { elsewhere, render, tellingClients, valuesOf } from './render.ts'

const production = (...values: string[]) => render('driveaway', 'p', [...valuesOf('production-eu'), ...values])

function podOf(objects: KubernetesObject[], name: string) {
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === `driveaway-${name}`)
  const pod = (found as { spec?: { template?: V1PodTemplateSpec } }).spec?.template?.spec
  const env = (pod?.containers[0]?.env ?? []).map((one) => [one.name, one.value ?? one.name])
  return { pod, env: Object.fromEntries(env) as Record<string, string> }
}

/** The Secrets of which a pod sees the folder. */
function secretsAt(pod: V1PodSpec | undefined, path: string) {
  const mount = pod?.containers[0]?.volumeMounts?.find(({ mountPath }) => mountPath === path)
  expect(mount?.readOnly).toBe(true)
  const { projected } = pod?.volumes?.find(({ name }) => name === mount?.name) ?? {}
  return { mode: projected?.defaultMode, names: projected?.sources?.map(({ secret }) => secret?.name) }
}

const PROGRAMS = [
  ['operator', readOperatorConfiguration],
  ['inventory', configureApi],
  ['worker', configureWorker],
] as const

test.each(PROGRAMS)(
  'the %s reads its own Secrets, and no other program’s, from the folder that it is told',
  async (name, read) => {
    const { pod, env } = podOf(await production(...tellingClients, ...elsewhere), name)
    const { natsUrl, natsTls, natsSecretDirectory } = read(env)
    expect({ natsUrl, natsTls }).toEqual({ natsUrl: 'tls://nats.example:4222', natsTls: 'required' })
    expect(secretsAt(pod, natsSecretDirectory)).toEqual({ mode: 0o440, names: [`nats-${name}`, 'nats-ca'] })
  },
)

test('the worker sees the login of NATS beside that of the mail server, and each alone', async () => {
  const both = podOf(await production(...tellingClients, ...elsewhere), 'worker').pod
  expect(both?.volumes?.map(({ name }) => name)).toEqual(['smtp', 'nats'])
  const alone = podOf(await production(...elsewhere), 'worker').pod
  expect(alone?.volumes?.map(({ name }) => name)).toEqual(['nats'])
})

test('pricing, and an operator that tells nobody, see no login of NATS', async () => {
  const objects = await production(...elsewhere)
  for (const name of ['pricing', 'operator']) {
    const { pod, env } = podOf(objects, name)
    expect(JSON.stringify(pod?.volumes ?? [])).not.toContain('nats')
    expect(Object.keys(env).filter((each) => each.startsWith('NATS'))).toEqual([])
  }
})

test.each([
  ['a login in the address', ['--set', 'nats.url=nats://worker:hunter2@nats.example'], 'nats/url'],
  ['TLS of another kind', ['--set', 'nats.tls=none'], 'nats/tls'],
  ['a program that does not connect', ['--set', 'nats.secrets.console[0]=x'], 'console'],
])('%s is refused', async (_, values, place) => {
  await expect(production(...elsewhere, ...values)).rejects.toThrow(place)
})

test('logins for a server of somebody else are refused where the embedded one is on', async () => {
  const message = 'nats.embedded.enabled to false'
  await expect(production('--set', 'nats.secrets.worker[0]=x')).rejects.toThrow(message)
  await expect(production('--set', 'nats.tls=required')).rejects.toThrow(message)
})
