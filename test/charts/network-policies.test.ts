import type { KubernetesObject, V1NetworkPolicy, V1PodTemplateSpec } from '@kubernetes/client-node'
import { BlockList } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { render, valuesOf } from './render.ts'

// As objects only: the network plugin of the e2e cluster does not enforce them.
let objects: KubernetesObject[]
let policies: Map<string, V1NetworkPolicy>
beforeAll(async () => {
  objects = await render('driveaway', 'staging', valuesOf('staging'))
  const found = objects.filter(({ kind }) => kind === 'NetworkPolicy') as V1NetworkPolicy[]
  policies = new Map(found.map((each) => [each.metadata?.name ?? '', each]))
})

const component = (name: string) => ({ 'app.kubernetes.io/component': name })
const policyOf = (name: string) => {
  const found = policies.get(`driveaway-${name}`)?.spec
  if (!found) throw new Error(`no policy for ${name}`)
  return found
}

test('every workload is selected by exactly one policy, for what comes in and what goes out', () => {
  const workloads = objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Pod'].includes(kind ?? ''))
  for (const workload of workloads) {
    const { template } = (workload as { spec: { template?: V1PodTemplateSpec } }).spec
    const labels = (template ?? workload).metadata?.labels ?? {}
    const selecting = [...policies.values()].filter(({ spec }) =>
      Object.entries(spec?.podSelector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value),
    )
    expect([workload.metadata?.name, selecting.map(({ metadata }) => metadata?.name)]).toEqual([
      workload.metadata?.name,
      [workload.metadata?.name],
    ])
    expect(selecting[0]?.spec?.policyTypes).toEqual(['Ingress', 'Egress'])
  }
  expect(workloads.length).toBe(6)
})

test('only the worker and the inventory API reach NATS, and only the operator the health of the APIs', () => {
  const peers = (name: string, port: string | number) =>
    (policyOf(name).ingress ?? [])
      .filter(({ ports }) => ports?.some((each) => each.port === port))
      .flatMap((rule) => rule._from ?? (rule as { from?: typeof rule._from }).from ?? [])
      .map(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/component'])
  expect(peers('nats', 'client').sort()).toEqual(['inventory', 'worker'])
  expect(peers('pricing', 'health')).toContain('operator')
  expect(peers('inventory', 'health')).toContain('operator')
  expect(policyOf('pricing').egress?.some(({ ports }) => ports?.some(({ port }) => port === 4222))).toBe(false)
  expect(policyOf('nats').podSelector?.matchLabels).toMatchObject(component('nats'))
})

test('pictures come from the internet and from no private address', () => {
  const outside = (policyOf('worker').egress ?? [])
    .flatMap(({ to }) => to ?? [])
    .flatMap(({ ipBlock }) => ipBlock ?? [])
  const reaches = (address: string) => outside.some((block) => contains(block, address))
  for (const open of ['93.184.215.14', '2606:2800:21f:cb07::1']) expect([open, reaches(open)]).toEqual([open, true])
  const inside = [
    '10.96.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
    '::1',
  ]
  for (const closed of inside) expect([closed, reaches(closed)]).toEqual([closed, false])
})

test('who traces reaches the port of the collector, and nobody does where nothing is traced', async () => {
  const open = async (endpoint: string, port: number) => {
    const found = await render('driveaway', 'staging', [
      ...valuesOf('staging'),
      '--set',
      `tracing.endpoint=${endpoint}`,
    ])
    return (found.filter(({ kind }) => kind === 'NetworkPolicy') as V1NetworkPolicy[])
      .filter(({ spec }) =>
        spec?.egress?.some((rule) => !rule.to && rule.ports?.length === 1 && rule.ports[0]?.port === port),
      )
      .map(({ metadata }) => metadata?.name)
  }
  const tracing = ['driveaway-pricing', 'driveaway-inventory', 'driveaway-worker']
  expect(await open('http://collector.monitoring:4318', 4318)).toEqual(tracing)
  expect(await open('https://otel.example', 443)).toEqual(tracing)
  expect(await open('', 4318)).toEqual([])
})

function contains(block: { cidr: string; except?: string[] }, address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const list = (networks: string[]) => {
    const found = new BlockList()
    for (const network of networks) {
      const [base = '', bits] = network.split('/')
      found.addSubnet(base, Number(bits), base.includes(':') ? 'ipv6' : 'ipv4')
    }
    return found.check(address, family)
  }
  return list([block.cidr]) && !list(block.except ?? [])
}

test('helm test reaches both APIs where callers are listed, and the monitoring of NATS answers only whom it should', async () => {
  const listed = await render('driveaway', 'staging', [
    ...valuesOf('staging'),
    ...['--set-json', 'networkPolicy.apiFrom=[{"ipBlock":{"cidr":"203.0.113.0/24"}}]'],
    ...['--set-json', 'networkPolicy.natsMonitorFrom=[{"namespaceSelector":{"matchLabels":{"team":"metrics"}}}]'],
  ])
  const ingressOf = (name: string, port: string, objects = listed) => {
    const policy = objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata?.name === name)
    const rules = (policy as { spec: { ingress: { ports: { port: string }[]; from?: object[] }[] } }).spec.ingress
    return rules.find(({ ports }) => ports.some((each) => each.port === port))?.from
  }
  for (const api of ['pricing', 'inventory'])
    expect(ingressOf(`driveaway-${api}`, 'http')).toEqual([
      { ipBlock: { cidr: '203.0.113.0/24' } },
      { podSelector: { matchLabels: expect.objectContaining(component('release-test')) } },
    ])
  expect(ingressOf('driveaway-nats', 'monitor')).toEqual([{ namespaceSelector: { matchLabels: { team: 'metrics' } } }])
  // Where nobody is listed: KEDA alone asks, which may be anywhere in the cluster.
  expect(
    ingressOf('driveaway-nats', 'monitor', await render('driveaway', 'staging', valuesOf('staging'))),
  ).toBeUndefined()
  const scaled = await render('driveaway', 'p', valuesOf('production-eu'))
  expect(ingressOf('driveaway-nats', 'monitor', scaled)).toEqual([{ namespaceSelector: {} }])
})
