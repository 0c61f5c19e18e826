import { expect, test } from 'vitest'
import { FORMAT_VERSION } from '#rates/published/format.ts'
import { startingUrlsOf } from '../../../operator/api-processes/addresses.ts'
import { formatToWrite } from '../../../operator/api-processes/formats.ts'
import { startApiProcess } from '../api-process.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld } from '../world.ts'
import { waitFor } from '../../harness/wait-for.ts'

const BEFORE = FORMAT_VERSION - 1
const reads = (...formatVersions: number[]) => ({ formatVersions })
const both = reads(FORMAT_VERSION, BEFORE)
const CLIENT = {
  ...{ showroomCodes: ['MEL01'], grants: ['pricing:quote' as const] },
  credentials: [{ secretRef: { name: 'northside' } }],
}

test('the format before is written as long as one API process reads no newer one', () => {
  expect(formatToWrite(BEFORE, [both, reads(BEFORE)])).toBe(BEFORE)
  expect(formatToWrite(FORMAT_VERSION, [both, reads(BEFORE, BEFORE - 1), undefined])).toBe(BEFORE)
  expect(formatToWrite(BEFORE, [both, both])).toBe(FORMAT_VERSION)
})

test('while a process has not answered, or there is none, the format stays as it is', () => {
  expect(formatToWrite(BEFORE, [both, undefined])).toBe(BEFORE)
  expect(formatToWrite(BEFORE, [])).toBe(BEFORE)
  expect(formatToWrite(FORMAT_VERSION, [undefined])).toBe(FORMAT_VERSION)
  expect(formatToWrite(undefined, [])).toBe(FORMAT_VERSION)
})

test('processes that are not ready are asked too, and those that end are not', () => {
  const conditions = [{ ready: true }, { ready: false }, { ready: false, terminating: true }]
  const endpoints = conditions.map((each, at) => ({ addresses: [`10.0.0.${at}`], conditions: each }))
  const slice = { addressType: 'IPv4', endpoints, ports: [{ name: 'health', port: 8090 }] }
  expect(startingUrlsOf([slice])).toEqual(['http://10.0.0.1:8090'])
})

test('the operator follows what the API processes read: forward once all read it, and back when one does not', async () => {
  const world = await startWorld()
  const [older, newer] = [await startApiProcess(), await startApiProcess()]
  try {
    Object.assign(older.loaded, reads(BEFORE))
    Object.assign(newer.loaded, both)
    await world.startOperator({ API_HEALTH_URLS: `${older.url},${newer.url}` })
    await world.applySet(inventedSet('AU', { fee: '1.00' }))
    // Whatever is published has the processes asked at once; else it is every ten seconds.
    const publish = (displayName: string) =>
      world.applyClient('northside', { displayName, ...CLIENT })
    const format = async () => (await world.published()).index.formatVersion
    const clientsFormat = async () => (await world.publishedClients()).index.formatVersion
    await waitFor('the format before', async () => (await format()) === BEFORE)
    const { release } = (await world.published()).index
    Object.assign(older.loaded, both)
    await publish('Northside')
    await waitFor('the present format', async () => (await format()) === FORMAT_VERSION, { timeoutMs: 20_000 })
    Object.assign(newer.loaded, reads(BEFORE))
    await publish('Northside Motors')
    const backAgain = async () => (await format()) === BEFORE && (await clientsFormat()) === BEFORE
    await waitFor('the format before again, in both indexes', backAgain, { timeoutMs: 20_000 })
    expect((await world.published()).index.release).toBe(release)
  } finally {
    await Promise.all([older.close(), newer.close()])
    await world.stop()
  }
})
