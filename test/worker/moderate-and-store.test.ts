import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Batch } from '../../inventory/batch.ts'
import { moderateAndStore } from '../../worker/batches/moderate-and-store.ts'
import { batchTurns } from '../../worker/batches/moderate-images.ts'
import { openedStore, type OpenedStore } from '../inventory/opened-store.ts'
import { batch, item } from '../inventory/uploads.ts'
import { visibleModeration } from './working.ts'

let opened: OpenedStore
beforeAll(async () => void (opened = await openedStore()))
afterAll(() => opened.close())

const MS_OF_ITEM = 5

function keepBusy(): [] {
  const end = performance.now() + MS_OF_ITEM
  while (performance.now() < end);
  return []
}

test('while the texts of a large batch are checked, the event loop goes on', async () => {
  const items = Array.from({ length: 100 }, (_, index) => item(`v${index}`))
  const content = { check: keepBusy }
  const attempt = {
    jobId: 'job',
    clientId: 'uploader',
    sequence: 1,
    run: 1,
    turns: batchTurns(),
    batch: batch(items) as Batch,
  }
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  // What the store is asked comes after all texts.
  let turnsAtFirstWrite = 0
  const { vehicles } = opened.store
  const store = {
    ...opened.store,
    vehicles: {
      ...vehicles,
      storeAll: async (...all: Parameters<typeof vehicles.storeAll>) => {
        turnsAtFirstWrite ||= turns
        return vehicles.storeAll(...all)
      },
    },
  }
  const signal = new AbortController().signal
  const { counts } = await moderateAndStore({ ...attempt, signal }, { ...visibleModeration(), content }, store)
  clearInterval(counting)
  expect(counts).toEqual({ accepted: 100, rejected: 0 })
  expect(turnsAtFirstWrite).toBeGreaterThan(5)
})

test('while the pictures of a large batch are queued, the event loop goes on', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({ ...item(`p${index}`), assets: [{ src: `${index}` }] }))
  const attempt = {
    jobId: 'job-p',
    clientId: 'uploader',
    sequence: 2,
    run: 1,
    turns: batchTurns(),
    batch: batch(items) as Batch,
  }
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  const turnsAt: number[] = []
  const judge = (src: string) => {
    turnsAt[Number(src)] = turns
    keepBusy()
    return Promise.resolve({ accepted: true as const })
  }
  const signal = new AbortController().signal
  const { counts } = await moderateAndStore({ ...attempt, signal }, visibleModeration(judge), opened.store)
  clearInterval(counting)
  expect(counts).toEqual({ accepted: 100, rejected: 0 })
  expect(turnsAt[99]! - turnsAt[0]!).toBeGreaterThan(5)
})
