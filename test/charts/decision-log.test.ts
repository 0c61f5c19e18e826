import type { V1ConfigMap, V1Deployment, V1NetworkPolicy } from '@kubernetes/client-node'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../runtime/log.ts'
import { connectNats } from '../../runtime/nats/access.ts'
import { DECISIONS_STREAM, jetStreamDestination } from '../../api/decisions/jetstream-destination.ts'
import { startTestNats } from '../harness/nats.ts'
import { waitFor } from '../harness/wait-for.ts'
import { render, valuesOf } from './render.ts'

const logging = (to: string) => ['--set', 'decisionLog.enabled=true', '--set', `decisionLog.to=${to}`]
const rendered = (...values: string[]) => render('driveaway', 'p', [...valuesOf('production-eu'), ...values])

async function pricingOf(...values: string[]) {
  const objects = await rendered(...values)
  const named = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === 'driveaway-pricing')
  const { containers, volumes = [] } = (named as V1Deployment).spec!.template.spec!
  const { env = [], volumeMounts = [] } = containers[0]!
  const mounted = volumeMounts.map(({ mountPath }) => mountPath)
  return { objects, volumes, mounted, log: env.find(({ name }) => name === 'DECISION_LOG')?.value, env }
}

test('by default there is no decision log, and pricing knows no NATS', async () => {
  const { log, env, mounted } = await pricingOf()
  expect([log, env.filter(({ name }) => name.startsWith('NATS_')), mounted]).toEqual([undefined, [], []])
})

test('to a file: in a volume of the pod, beside the release keys', async () => {
  const { log, mounted, volumes } = await pricingOf(...logging('file'), '--set', 'releases.keySecretName=keys')
  expect([log, mounted]).toEqual([
    'file:/var/lib/driveaway/decisions.jsonl',
    ['/etc/driveaway/release', '/var/lib/driveaway'],
  ])
  expect(volumes.find(({ name }) => name === 'decisions')?.emptyDir).toEqual({ sizeLimit: '72Mi' })
})

test('to NATS: with a login that writes decisions and can do nothing else, on a real nats-server', async () => {
  const { log, mounted, objects } = await pricingOf(...logging('nats'))
  expect([log, mounted]).toEqual(['nats:decisions', ['/etc/driveaway/nats']])
  const policy = objects.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata?.name === 'driveaway-pricing',
  )
  expect((policy as V1NetworkPolicy).spec!.egress!.some(({ ports }) => ports?.some(({ port }) => port === 4222))).toBe(
    true,
  )
  const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata?.name === 'driveaway-nats')
  const [block] = /^authorization \{\n[^]*?^\}$/m.exec((map as V1ConfigMap).data!['nats.conf']!)!
  const nats = await startTestNats({
    configuration: `${block.replaceAll(/\$PASSWORD_OF_(\w+)/g, (_, user: string) => `p-${user}`)}\nno_auth_user: admin`,
  })
  onTestFinished(() => nats.close())
  const url = nats.url.replace('nats://', 'nats://pricing:p-PRICING@')
  const logger = createLog({ name: 'test', level: 'silent' })
  const to = { url, secretDirectory: '', tls: 'offered' as const, log: logger, retryMs: 100, subject: 'decisions' }
  const destination = jetStreamDestination({ ...to, maxBytes: 1_000_000 })
  onTestFinished(() => destination.stop())
  await waitFor('a decision', async () => (await destination.write(['{}']).catch(() => 1)) === 0)
  const admin = await connect({ servers: nats.url })
  onTestFinished(() => admin.close())
  const { config } = await (await jetstreamManager(admin)).streams.info(DECISIONS_STREAM)
  expect([config.subjects, config.max_bytes]).toEqual([['decisions'], 1_000_000])
  const own = await connectNats({ url }, { name: 'driveaway-pricing' })
  onTestFinished(() => own.close())
  for (const subject of [
    '$JS.API.STREAM.MSG.GET.DECISIONS',
    '$JS.API.STREAM.UPDATE.DECISIONS',
    'batches.dXBsb2FkZXI.1',
  ])
    await expect(own.request(subject, '{}', { timeout: 5_000 })).rejects.toThrow(/ermission/)
})
