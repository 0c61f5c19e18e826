import { networkInterfaces } from 'node:os'
import type { V1EndpointSlice } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { healthUrlsOf, slicesOf } from '../../../operator/api-processes/addresses.ts'
import { startApiProcess } from '../api-process.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type World } from '../world.ts'

/** An API server refuses endpoints on the loopback interface, as nobody else could reach them. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

const slice = (service: string, endpoints: V1EndpointSlice['endpoints'], port = 8090): V1EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: `${service}-1`, namespace: 'driveaway', labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  endpoints,
  ports: [
    { name: 'http', port: 8080 },
    { name: 'health', port },
  ],
})

test('every endpoint counts once, on its health port; one that is not ready or is ending does not', () => {
  const slices = [
    slice('pricing', [
      { addresses: ['10.0.0.2'], conditions: { ready: true } },
      { addresses: ['10.0.0.1'] },
      { addresses: ['10.0.0.3'], conditions: { ready: false } },
      { addresses: ['10.0.0.4'], conditions: { ready: true, terminating: true } },
    ]),
    slice('inventory', [{ addresses: ['10.0.0.2'] }, { addresses: ['fd00::1'] }]),
    { ...slice('other', [{ addresses: ['10.0.0.9'] }]), ports: [{ name: 'http', port: 80 }] },
  ]
  expect(healthUrlsOf(slices)).toEqual(['http://10.0.0.1:8090', 'http://10.0.0.2:8090', 'http://[fd00::1]:8090'])
  expect(slicesOf(['pricing', 'inventory'])).toBe('kubernetes.io/service-name in (pricing,inventory)')
})

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.startOperator({ API_HEALTH_SERVICES: 'driveaway-pricing' })
}, 60_000)
afterAll(() => world.stop())

test('the processes behind the Services are asked, and those that come and go are noticed', async () => {
  if (address === undefined) throw new Error('this test needs an IPv4 address that is not on the loopback interface')
  const [first, second] = [await startApiProcess(address), await startApiProcess(address)]
  const setEndpoints = (name: string, { port }: { port: number }, ready: boolean) => {
    const own = slice('driveaway-pricing', [{ addresses: [address], conditions: { ready } }], port)
    const named = { ...own, metadata: { ...own.metadata, name } }
    return applyObject(world.controlPlane.kubeConfig, named, { fieldManager: 'test', force: true })
  }
  await world.applySet(inventedSet('AU'))
  const none = await world.until('RateSet', 'au-fy27', ['Loaded', 'Unknown'])
  expect(none).toMatchObject({ reason: 'NoProcesses', message: '0/0' })
  await setEndpoints('pricing-a', first, true)
  await setEndpoints('pricing-b', second, true)
  await world.until('RateSet', 'au-fy27', ['Loaded', 'False', 'Loading'])
  const { digest } = (await world.published()).index.sets[0] ?? { digest: '' }
  first.loaded.sets = { 'au-fy27': digest }
  await setEndpoints('pricing-b', second, false)
  expect((await world.until('RateSet', 'au-fy27', ['Loaded', 'True'])).message).toBe('1/1')
  await first.close()
  await second.close()
}, 60_000)
