import { afterAll, beforeAll, expect, test } from 'vitest'
import { vehicleSubject } from '../../inventory/storage.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { item } from '../inventory/uploads.ts'
import { driveaway } from './driveaway.ts'

let opened: OpenedStore
beforeAll(async () => {
  opened = await openedStore()
  for (const [clientId, sourceId] of [
    ['uploader', 'NS-2'],
    ['uploader', 'NS 1/ä'],
    ['uploader-2', 'NS-3'],
    ['leaver', 'NS-2'],
    ['leaver', 'NS 1/ä'],
  ] as const)
    await opened.store.vehicles.store({
      ...{ client_id: clientId, source_id: sourceId, source_name: 'test', job_id: 'j1' },
      ...{ order: { sequence: 1, index: 0, run: 1 }, stored_at: '2026-11-21T00:00:00.000Z' },
      item: item(sourceId, { assets: [{ src: 'https://img.test/1.jpg' }] }),
    })
})
afterAll(() => opened.close())

const vehicles = (...args: string[]) => driveaway(['vehicles', '--nats', opened.nats.url, ...args])

test('all vehicles of a client are listed by their source_id, and none of another', async () => {
  const { status, stdout } = await vehicles('--client', 'uploader')
  expect(status).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'NS 1/ä  2026-11-21T00:00:00.000Z  job j1  1 asset',
    'NS-2  2026-11-21T00:00:00.000Z  job j1  1 asset',
  ])
})

test('a vehicle that is named is given as it is stored, and one that is not there is said', async () => {
  const { status, stdout, stderr } = await vehicles('--client', 'uploader', 'NS-2', 'NS-3', '--output', 'json')
  expect(JSON.parse(stdout)).toMatchObject([{ source_id: 'NS-2', item: { vehicle: { make: 'Kia' } } }])
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'NS-3 is not stored\n' })
})

test('vehicles that are named are deleted, or all of a client, and no other’s', async () => {
  const remove = (...args: string[]) => driveaway(['vehicles', 'delete', '--nats', opened.nats.url, ...args])
  expect(await remove('--client', 'leaver', 'NS-2', 'NS-9')).toMatchObject({
    status: 1,
    stdout: 'NS-2 deleted\n',
    stderr: 'NS-9 is not stored\n',
  })
  expect(await vehicles('--client', 'leaver', 'NS-2')).toMatchObject({ status: 1 })
  expect(await remove('--client', 'leaver', '--all')).toMatchObject({ status: 0, stdout: 'NS 1/ä deleted\n' })
  expect(await vehicles('--client', 'leaver')).toMatchObject({ stderr: 'no vehicles\n' })
  expect(await vehicles('--client', 'uploader-2')).toMatchObject({ stdout: expect.stringContaining('NS-3') })
  for (const wrong of [['--client', 'leaver'], ['--client', 'leaver', '--all', 'NS-2'], ['--all']])
    expect(await remove(...wrong)).toMatchObject({ status: 2 })
})

test('a client without vehicles has none, and a call without a client is wrong', async () => {
  expect(await vehicles('--client', 'nobody')).toMatchObject({ status: 0, stdout: '', stderr: 'no vehicles\n' })
  expect(await vehicles()).toMatchObject({ status: 2, stderr: expect.stringContaining('--client') })
})

test('a vehicle that cannot be read is named, and can be deleted', async () => {
  const put = () => opened.store.manager.jetstream().publish(vehicleSubject('finder', 'NS-1'), 'hello, not json')
  await put()
  const stderr = 'NS-1 cannot be read: the next upload replaces it\n'
  for (const names of [[], ['NS-1']])
    expect(await vehicles('--client', 'finder', ...names)).toMatchObject({ status: 0, stdout: '', stderr })
  for (const names of [['NS-1'], ['--all']]) {
    await put()
    const deleted = await driveaway(['vehicles', 'delete', '--nats', opened.nats.url, '--client', 'finder', ...names])
    expect(deleted).toMatchObject({ status: 0, stdout: 'NS-1 deleted\n' })
  }
})
