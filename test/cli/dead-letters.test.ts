import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { item } from '../inventory/uploads.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

function driveaway(...args: string[]) {
  const env = { PATH: process.env['PATH'], NATS_URL: opened.nats.url }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', 'dead-letters', ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, lines: stdout.trimEnd().split('\n'), stderr }
}

async function bury(jobId: string, sequence: number) {
  const text = JSON.stringify({ source_name: 'test', items: [item('v')] })
  await opened.store.deadLetters.keep(
    { jobId, sequence, clientId: 'uploader', clientUid: 'u1', replays: 0, text, acceptedAt: new Date() },
    'given up after 5 attempts: broken',
  )
}

test('without dead letters the list is empty and says so', () => {
  expect(driveaway('list')).toMatchObject({ status: 0, stderr: 'no dead letters\n' })
})

test('dead letters are listed and replayed in the order in which they were accepted, each as a new job', async () => {
  for (const [job, sequence] of [
    ['b', 20],
    ['c', 30],
    ['a', 10],
  ] as const)
    await bury(job, sequence)
  const listed = driveaway('list')
  expect(listed.lines.map((line) => line.slice(0, 1))).toEqual(['a', 'b', 'c'])
  expect(listed.lines[0]).toContain('uploader')
  expect(listed.lines[0]).toContain('given up after 5 attempts: broken')
  expect(driveaway('replay', 'c', 'nothing')).toMatchObject({
    status: 1,
    stderr: 'nothing is not among the dead letters\n',
  })
  const replayed = driveaway('replay', '--all')
  expect(replayed.lines.map((line) => line.split(' ')[0])).toEqual(['a', 'b'])
  expect(await opened.store.deadLetters.list()).toEqual([])
  const job = replayed.lines[0]!.split(' ').at(-1)!
  expect(await opened.store.queue.waiting('uploader', job)).toMatchObject({
    clientId: 'uploader',
    clientUid: 'u1',
    sequence: 10,
    replays: 1,
  })
  expect((await opened.store.jobs.read('uploader', job))?.record.status).toBe('processing')
})

test('where notices were never on, none was given up', () => {
  expect(driveaway('list', '--notices')).toMatchObject({ status: 0, stderr: 'no dead letters\n' })
})

test('a wrong call is told how it is made', () => {
  for (const args of [[], ['replay'], ['list', 'a'], ['replay', 'a', '--all'], ['list', '--output', 'xml']]) {
    expect(driveaway(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('usage: driveaway dead-letters'),
    })
  }
})
