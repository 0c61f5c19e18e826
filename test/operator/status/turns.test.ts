import { expect, test } from 'vitest'
import type { ApiProcess } from '../../../operator/api-processes/poller.ts'
import { statusTurns } from '../../../operator/status/turns.ts'
import type { Watches } from '../../../operator/watches.ts'

const named = (...names: string[]) => ({ objects: new Map(names.map((name) => [name, { metadata: { name } }])) })
const watches = { rateSets: named('au-fy27'), clients: named('northside', 'westside') } as unknown as Watches

function started(processes: ApiProcess[], isBehind = { now: false }) {
  const now: string[] = []
  const later: string[] = []
  const queue = { add: (key: string) => now.push(key), addAfter: (key: string) => later.push(key) }
  const around = { queue, watches, processes: () => processes, isAnyBehind: () => isBehind.now }
  return { turns: statusTurns(around as never), now, later }
}

const answering = (clients: number, sets: Record<string, string> = {}) =>
  ({ url: 'http://a', servesRates: true, loaded: { sets, clients: { sequence: clients } } }) as ApiProcess

test('the statuses of clients wait for the API processes to load them; those of rate sets do not', () => {
  const isBehind = { now: true }
  const processes = [answering(1)]
  const { turns, now, later } = started(processes, isBehind)
  turns.published('clients')
  turns.published('rates')
  expect(now).toEqual(['rate-set/au-fy27'])
  expect(later).toEqual(['client/northside', 'client/westside'])
  isBehind.now = false
  processes[0] = answering(2)
  turns.answered()
  expect(now).toContain('client/northside')
})

test('without API processes nothing is waited for', () => {
  const { turns, now } = started([], { now: true })
  turns.published('clients')
  expect(now).toEqual(['client/northside', 'client/westside'])
})

test('an answer gives a turn only to what it concerns', () => {
  const processes = [answering(1)]
  const { turns, now } = started(processes)
  turns.answered()
  now.length = 0
  processes[0] = answering(1, { 'au-fy27': 'sha256:x' })
  turns.answered()
  expect(now).toEqual(['rate-set/au-fy27'])
  now.length = 0
  processes[0] = answering(2, { 'au-fy27': 'sha256:x' })
  turns.answered()
  expect(now).toEqual(['client/northside', 'client/westside'])
  now.length = 0
  turns.answered()
  expect(now).toEqual([])
})
