import { expect, test } from 'vitest'
import { dueStatuses } from '../../../operator/loop/due-statuses.ts'
import type { Watches } from '../../../operator/loop/watches.ts'

const object = (name: string, loaded?: [status: string, reason: string], observedGeneration = 1) => ({
  metadata: { name, generation: 1 },
  ...(loaded && {
    status: { observedGeneration, conditions: [{ type: 'Loaded', status: loaded[0], reason: loaded[1] }] },
  }),
})
type Given = ReturnType<typeof object>

function dueOver(rateSets: Given[], clients: Given[], attests = false) {
  const given: string[] = []
  const kept = (objects: Given[]) => ({ objects: new Map(objects.map((each) => [each.metadata.name, each])) })
  const watches = { rateSets: kept(rateSets), clients: kept(clients) } as unknown as Watches
  return {
    given,
    due: dueStatuses({
      statuses: { add: (key, order) => given.push(order?.first ? `${key} first` : key) },
      watches,
      attests,
    }),
  }
}

test('the first run of a term makes every status due, each later run those that it judged otherwise', () => {
  const { due, given } = dueOver([object('au-fy27')], [object('northside'), object('westside')])
  due.judged('clients', [])
  expect(given).toEqual(['client/northside', 'client/westside'])
  given.length = 0
  due.judged('clients', ['westside'])
  due.judged('clients', [])
  expect(given).toEqual(['client/westside first'])
})

test('an answer makes due only what is not loaded yet', () => {
  const { due, given } = dueOver(
    [object('loaded', ['True', 'Loaded']), object('held', ['False', 'Held']), object('loading', ['False', 'Loading'])],
    [object('nobody-there', ['Unknown', 'NoProcesses']), object('new'), object('edited', ['True', 'Loaded'], 0)],
  )
  due.answered()
  expect(given).toEqual(['rate-set/loading', 'client/nobody-there', 'client/new', 'client/edited'])
})

test('where sets are attested, an answer makes due those that are not attested yet', () => {
  const { due, given } = dueOver(
    [object('loaded', ['True', 'Loaded'])],
    [object('northside', ['True', 'Loaded'])],
    true,
  )
  due.answered()
  expect(given).toEqual(['rate-set/loaded'])
})
