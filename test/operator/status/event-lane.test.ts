import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import { eventLane } from '../../../operator/status/event-lane.ts'

interface Told {
  metadata: { generateName: string }
  reason: string
  regarding: { name: string; uid: string }
}

/** A server that answers each write of an event only when it is told to. */
function world() {
  const written: string[] = []
  const events: Told[] = []
  const answers = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const timeouts = new Set<number | undefined>()
  const kube = {
    get: () => Promise.resolve({ metadata: { uid: 'read' } }),
    create: (event: Told, { timeoutMs }: { timeoutMs?: number } = {}) => {
      const name = `${event.regarding.name} ${event.reason}`
      written.push(name)
      events.push(event)
      timeouts.add(timeoutMs)
      return new Promise<void>((resolve, reject) => answers.set(name, { resolve, reject }))
    },
  } as unknown as Kube
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) } as unknown as Logger
  let slept = 0
  const clock = {
    ...systemClock,
    elapsed: () => slept,
    sleep: (ms: number) => Promise.resolve(void (slept += ms)),
  }
  const lane = eventLane({ kube, log, clock })
  const announce = (name: string, ...reasons: string[]) => {
    const at = { lastTransitionTime: '', observedGeneration: 1, message: 'why' }
    const told = reasons.map((reason) => ({ type: 'Ready', status: 'True' as const, reason, ...at }))
    return lane.announce({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid: 'u' } }, told)
  }
  return { lane, announce, written, events, answers, warnings, timeouts, slept: () => slept }
}

test('the events of one object are written in their order, those of twelve objects at once', async () => {
  const { announce, written, answers, timeouts } = world()
  const first = announce('east', 'One', 'Two')
  void announce('east', 'Three')
  const others = Array.from({ length: 12 }, (_, nth) => `other-${nth}`)
  for (const name of others) void announce(name, 'One')
  await turn()
  expect(written).toEqual(['east One', ...others.slice(0, 11).map((name) => `${name} One`)])
  answers.get('east One')?.reject(new Error('refused'))
  await turn()
  expect(written.slice(12)).toEqual(['other-11 One'])
  answers.get('other-3 One')?.resolve()
  await turn()
  expect(written.slice(13)).toEqual(['east Two'])
  answers.get('east Two')?.resolve()
  await first
  await turn()
  expect(written.slice(14)).toEqual(['east Three'])
  expect([...timeouts]).toEqual([5000])
})

test('events beyond those that may wait are given up, with one warning, and later ones are written', async () => {
  const { announce, written, answers, warnings } = world()
  for (let nth = 0; nth < 2012; nth += 1) void announce(`other-${nth}`, 'One')
  await Promise.all([announce('east', 'One'), announce('west', 'One')])
  expect(warnings).toEqual(['too many events wait: further ones are given up'])
  for (let nth = 0; nth < 2012; nth += 1) {
    answers.get(`other-${nth}`)?.resolve()
    answers.get(`other-${nth} One`)?.resolve()
    await turn()
  }
  void announce('east', 'Later')
  await turn()
  expect([written.length, written.at(-1)]).toEqual([2013, 'east Later'])
})

test('an object without a uid is read before its event is written', async () => {
  const { lane, events } = world()
  const told = { type: 'Repaired', status: 'True', reason: 'IndexRepaired', message: 'why' } as const
  void lane.announce({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'driveaway-rates', namespace: 'n' } }, [
    { ...told, lastTransitionTime: '', observedGeneration: 0 },
  ])
  await turn()
  expect(events.map(({ regarding }) => regarding.uid)).toEqual(['read'])
})

test('at the end, what waits is given a short time', async () => {
  const { lane, announce, answers, warnings, slept } = world()
  await lane.end()
  expect([slept(), warnings]).toEqual([0, []])
  void announce('east', 'One', 'Two')
  await lane.end()
  expect([slept(), warnings]).toEqual([2000, ['events are given up: the operator ends']])
  answers.get('east One')?.resolve()
})
