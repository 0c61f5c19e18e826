import { expect, test } from 'vitest'
import { messageOf } from '#notices/render/message.ts'
import { setLabels } from '#rates/readers/set-labels.ts'
import { noticesOf } from '#notices/tell.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { labelOf, sets } from '../properties/sets.ts'

test.each(sets.map((spec) => [labelOf(spec), spec] as const))(
  'what %s names for programs has a label for people, of its own',
  (_, spec) => {
    const { classes = [], parameters = [], zones = [] } = spec
    const labels = setLabels([], [spec], spec.pricingCode)
    expect([...labels.classes.keys()].sort()).toEqual(classes.map(({ name }) => name).sort())
    const own = parameters.map(({ name }) => name)
    expect([...labels.parameters.keys()]).toEqual(expect.arrayContaining(own))
    for (const { name, values } of zones) {
      expect(labels.lists.get(name)).toBeDefined()
      expect([...labels.zones.get(name)!.keys()].sort()).toEqual(values.map(({ zone }) => zone).sort())
    }
  },
)

const victoria = () => structuredClone(sets.filter((one) => ['AU', 'AU_VIC'].includes(one.pricingCode)))
const last = (all: RateSetSpec[]) => all.find((one) => labelOf(one) === labelOf(sets.at(-1)!)) ?? all.at(-1)!
const told = (old: RateSetSpec[], now: RateSetSpec[]) => [
  ...noticesOf(
    { number: 1, release: 'sha256:old', sets: old },
    { number: 2, release: 'sha256:new', sets: now },
    [{ client: 'northside', to: [] }],
    { environment: 'production', today: () => '2026-11-22' },
  ),
]

function edited(edit: (vic: RateSetSpec) => void): RateSetSpec[] {
  const all = victoria()
  edit(last(all.filter(({ pricingCode }) => pricingCode === 'AU_VIC')))
  return all
}

test('a label that is worded anew, or is given or taken away, is no change', () => {
  const relabelled = edited(({ classes, zones, parameters }) => {
    for (const one of [...classes!, ...parameters!, ...zones!, ...zones![0]!.values]) one.label = `another ${one.label}`
  })
  const without = edited(({ classes, zones, parameters }) => {
    for (const one of [...classes!, ...parameters!, ...zones!, ...zones![0]!.values]) delete one.label
  })
  expect(told(victoria(), relabelled)).toEqual([])
  expect(told(victoria(), without)).toEqual([])
  expect(told(without, victoria())).toEqual([])
})

test('two zones of one label are called by their names: a postcode that moves between them is told', () => {
  const alike = (all: RateSetSpec[]) => {
    for (const { zones = [] } of all) for (const list of zones) for (const zone of list.values) zone.label = 'a zone'
    return all
  }
  const moved = edited(({ zones }) => void zones![0]!.values[0]!.postcodes.push('3999'))
  const [notice] = told(alike(victoria()), alike(moved))
  expect(messageOf(notice!).text).toContain(
    'Zones of postcodes: TAC risk zone\n  postcode 3999: zone RURAL → zone METRO',
  )
})

test('the last set of the later side says what a name is called', () => {
  const moved = edited(({ zones }) => {
    zones![0]!.values[0]!.postcodes.push('3999')
    zones![0]!.values[0]!.label = 'city'
  })
  expect(messageOf(told(victoria(), moved)[0]!).text).toContain('postcode 3999: rural zone → city')
})

test('an amount that is computed from other terms, and stays what it is, is no change of a mail', () => {
  const written = edited(({ rules }) => {
    const fee = rules.find(({ component }) => component === 'REGISTRATION')!.cases.at(-1)!
    expect(fee.charge!.flat).toBe('20.42 FEE_UNIT')
    fee.charge!.flat = '352.6534'
  })
  expect(told(victoria(), written)).toEqual([])
  const other = edited(({ rules }) => {
    rules.find(({ component }) => component === 'REGISTRATION')!.cases.at(-1)!.charge!.flat = '352.66'
  })
  expect(told(victoria(), other)).toHaveLength(1)
})

test('a postcode that no zone had says so', () => {
  const added = edited(({ zones }) => void zones![0]!.values[0]!.postcodes.push('0900'))
  expect(messageOf(told(victoria(), added)[0]!).text).toContain('postcode 0900: in no zone → metropolitan zone')
})

test('a reason alone that is worded anew, of what is not priced or not charged, is no change of a mail', () => {
  const reworded = edited(({ rules }) => {
    for (const one of rules.flatMap(({ cases }) => cases)) {
      if (one.unpriced !== undefined) one.unpriced = `In other words: ${one.unpriced}`
      if (one.exempt) one.exempt.reason = `In other words: ${one.exempt.reason}`
    }
  })
  expect(told(victoria(), reworded)).toEqual([])
})
