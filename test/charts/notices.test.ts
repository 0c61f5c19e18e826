import type { KubernetesObject, V1NetworkPolicy, V1PodTemplateSpec } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { configure } from '../../worker/configuration.ts'
import { render, tellingClients, valuesOf } from './render.ts'

const staging = (...values: string[]) => render('driveaway', 'staging', [...valuesOf('staging'), ...values])

function podOf(objects: KubernetesObject[], name: string) {
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === `driveaway-${name}`)
  const pod = (found as { spec?: { template?: V1PodTemplateSpec } }).spec?.template?.spec
  const [container] = pod?.containers ?? []
  return {
    pod,
    container,
    env: Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value ?? one.name])),
  }
}

const egressPorts = (objects: KubernetesObject[], name: string) =>
  (
    objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata?.name === `driveaway-${name}`) as
      V1NetworkPolicy | undefined
  )?.spec?.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port) ?? []) ?? []

test('the operator and the worker read the same storage, and the worker its login from the mounted Secret', async () => {
  const objects = await staging(...tellingClients)
  const [operator, worker] = [podOf(objects, 'operator'), podOf(objects, 'worker')]
  const told = readOperatorConfiguration(operator.env)
  const { natsUrl, natsReplicas, noticesStoreMegabytes, smtpSecretDirectory, ...mail } = configure(worker.env)
  expect(told).toMatchObject({ notices: true, environment: 'staging', natsUrl, natsReplicas, noticesStoreMegabytes })
  expect(mail).toMatchObject({
    ...{ smtpHost: 'smtp.driveaway.example', smtpPort: 587, smtpTls: 'required' },
    noticesFrom: 'rates@driveaway.example',
  })
  const mount = worker.container?.volumeMounts?.find(({ mountPath }) => mountPath === smtpSecretDirectory)
  const volume = worker.pod?.volumes?.find(({ name }) => name === mount?.name)
  expect(volume?.secret).toEqual({ secretName: 'smtp', defaultMode: 0o440 })
})

test('the operator signs by its mounted Secret, the worker trusts the public keys, and both keep the same pace', async () => {
  const settings = {
    settleSeconds: '60',
    holdAbove: '7',
    mailsPerDay: '3',
    'dkim.domain': 'x.example',
    'dkim.selector': 's',
  }
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `notices.${name}=${value}`])
  const objects = await staging(...tellingClients, ...set)
  const [operator, worker] = [podOf(objects, 'operator'), podOf(objects, 'worker')]
  const telling = readOperatorConfiguration(operator.env)
  expect(telling).toMatchObject({ noticesSettleSeconds: 60, noticesHoldAbove: 7 })
  const mount = operator.container?.volumeMounts?.find(({ name }) => name === 'notices-key')
  expect(telling.noticesSigningKeyFile).toBe(`${mount?.mountPath}/key.json`)
  const volume = operator.pod?.volumes?.find(({ name }) => name === 'notices-key')
  expect(volume?.secret).toEqual({ secretName: 'notices-key', defaultMode: 0o440 })
  expect(configure(worker.env)).toMatchObject({ noticesSettleSeconds: 60, noticesPerDay: 3, dkimDomain: 'x.example' })
  expect(configure(worker.env).noticesTrustedKeys).toBe('[{"kid":"notices-2026"}]')
})

test('only where clients are told the operator reaches NATS, and the worker the port of the mail server', async () => {
  const [without, telling] = [await staging(), await staging(...tellingClients, '--set', 'notices.smtp.port=2525')]
  expect([egressPorts(without, 'operator'), egressPorts(without, 'worker')].flat()).not.toContain(2525)
  expect(egressPorts(without, 'operator')).not.toContain(4222)
  expect(egressPorts(telling, 'operator')).toContain(4222)
  expect(egressPorts(telling, 'worker')).toContain(2525)
  const nats = telling.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata?.name === 'driveaway-nats')
  expect(JSON.stringify(nats)).toContain('"app.kubernetes.io/component":"operator"')
})

test('where clients are not told nothing of it is set', async () => {
  const objects = await staging()
  expect(readOperatorConfiguration(podOf(objects, 'operator').env).notices).toBe(false)
  expect(configure(podOf(objects, 'worker').env).smtpHost).toBe('')
})

test.each([
  ['notices without a sender', ['--set', 'notices.from='], 'notices/from'],
  ['notices without a mail server', ['--set', 'notices.smtp.host='], 'notices/smtp/host'],
  ['notices that nobody signs', ['--set', 'notices.signing.keySecretName='], 'notices/signing/keySecretName'],
  ['a login without TLS', ['--set', 'notices.smtp.tls=none'], 'notices/smtp/secretName'],
  ['notices without a worker', ['--set', 'inventory.enabled=false'], 'notices.enabled: inventory.enabled is required'],
  [
    'a volume that has no room for notices',
    ['--set', 'nats.embedded.storage.size=4Gi', '--set', 'nats.storeMegabytes=4096'],
    'nats.embedded.storage.size: 4Gi is less than the streams may store, 4352Mi',
  ],
])('%s is refused with what was expected', async (_, values, message) => {
  await expect(staging(...tellingClients, ...values)).rejects.toThrow(message)
})
