import { expect, test } from 'vitest'
import { statusTurns } from '../../../operator/status/turns.ts'
import type { Watches } from '../../../operator/watches.ts'

const object = (name: string, loaded?: [status: string, reason: string], observedGeneration = 1) => ({
  metadata: { name, generation: 1 },
  ...(loaded && {
    status: { observedGeneration, conditions: [{ type: 'Loaded', status: loaded[0], reason: loaded[1] }] },
  }),
})
type Given = ReturnType<typeof object>

function turnsOver(rateSets: Given[], clients: Given[], attests = false) {
  const given: string[] = []
  const kept = (objects: Given[]) => ({ objects: new Map(objects.map((each) => [each.metadata.name, each])) })
  const watches = { rateSets: kept(rateSets), clients: kept(clients) } as unknown as Watches
  return {
    given,
    turns: statusTurns({
      statuses: { add: (key, order) => given.push(order?.first ? `${key} first` : key) },
      watches,
      attests,
    }),
  }
}

test('the first run of a term gives every status a turn, each later run those that it judged otherwise', () => {
  const { turns, given } = turnsOver([object('au-fy27')], [object('northside'), object('westside')])
  turns.judged('clients', [])
  expect(given).toEqual(['client/northside', 'client/westside'])
  given.length = 0
  turns.judged('clients', ['westside'])
  turns.judged('clients', [])
  expect(given).toEqual(['client/westside first'])
})

test('an answer gives a turn only to what is not loaded yet', () => {
  const { turns, given } = turnsOver(
    [object('loaded', ['True', 'Loaded']), object('held', ['False', 'Held']), object('loading', ['False', 'Loading'])],
    [object('nobody-there', ['Unknown', 'NoProcesses']), object('new'), object('edited', ['True', 'Loaded'], 0)],
  )
  turns.answered()
  expect(given).toEqual(['rate-set/loading', 'client/nobody-there', 'client/new', 'client/edited'])
})

test('where sets are attested, an answer gives a turn to those that are not attested yet', () => {
  const { turns, given } = turnsOver(
    [object('loaded', ['True', 'Loaded'])],
    [object('northside', ['True', 'Loaded'])],
    true,
  )
  turns.answered()
  expect(given).toEqual(['rate-set/loaded'])
})
