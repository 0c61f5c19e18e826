import { expect, test } from 'vitest'
import { FOR_READERS, forReaders } from '#rates/readers/reader-words.ts'
import { setLabels } from '#rates/readers/set-labels.ts'
import type { Resolver } from '#rates/diff/amounts.ts'
import { conditionWords } from '#rates/diff/condition-words.ts'
import { statementsOn } from '#rates/diff/statements.ts'
import { AS_WRITTEN, type Vocabulary } from '#rates/diff/vocabulary.ts'
import { yearDates } from '#rates/engine/dates.ts'
import type { Condition } from '#rates/engine/grammar/condition.ts'
import { ENUM_FACTS } from '#rates/engine/grammar/facts.ts'
import { sets } from '../properties/sets.ts'

/** Texts that a set writes for people itself: its own names may stand in them. */
const FREE = new Set(['outcome', 'evidence', 'sources'])

/** Names as programs write them, in all that a set says on its first day: `usageType`, `FEE_UNIT`, `people_mover`. */
function programNames(wordsOf: (pricingCode: string) => Vocabulary): string[] {
  return sets.flatMap((spec) => {
    const imports = sets.filter(
      (one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode),
    )
    const said = [
      ...statementsOn({ spec, imports }, yearDates(spec.financialYear).startDate, wordsOf(spec.pricingCode)).values(),
    ]
    const texts = said.flatMap(({ key, component, heading, label, value, told, titles = [] }) => {
      if (component === 'offers') return []
      const words = [
        label,
        ...(heading === undefined ? [] : [heading]),
        ...titles.map((title) => title.words),
        ...(told ? [told.label] : []),
      ]
      return FREE.has(key) ? words : [...words, value, ...(told ? [told.value] : [])]
    })
    return texts.flatMap((text) => text.match(/\b[a-z]+[A-Z]\w*|\b[A-Za-z]+_\w+/g) ?? [])
  })
}

test('nothing that a rate set says is told to a reader in the names of programs', () => {
  expect(programNames(() => AS_WRITTEN).length).toBeGreaterThan(1_000)
  expect([...new Set(programNames(() => FOR_READERS))]).toEqual([])
  expect([...new Set(programNames((code) => forReaders(setLabels([], sets, code))))]).toEqual([])
})

test('what is left beside other cases is said by them, and of many or of several tests by itself', () => {
  const { otherwise } = FOR_READERS
  expect(otherwise([['taxi']])).toEqual({ words: 'unless taxi', isBehind: true })
  expect(otherwise([['taxi'], ['heavy'], ['passenger']]).words).toBe('unless taxi, heavy or passenger')
  expect(otherwise([['taxi'], ['x'.repeat(80)]])).toEqual({ words: 'all other cases' })
  expect(otherwise([['bus', 'up to 10 seats'], ['bus']])).toEqual({ words: 'all other cases' })
})

const ALONE = { isSent: false, isAlone: true }

test.each(Object.entries(ENUM_FACTS).flatMap(([fact, values]) => values.map((value) => [fact, value] as const)))(
  'the value of %s that is called %s has words of its own, which say what it is of',
  (fact, value) => {
    const words = FOR_READERS.test(fact, [value], ALONE)
    const others = Object.entries(ENUM_FACTS).flatMap(([other, all]) =>
      all.flatMap((one) => (other === fact && one === value ? [] : FOR_READERS.test(other, [one], ALONE))),
    )
    // A vehicle is new, or its registration is: a word alone says of the vehicle.
    expect(others).not.toContain(words)
    expect(words).not.toMatch(/_|undefined|consumer|taxable|none/)
  },
)

test.each([
  ['tareKg', { min: '4500' }, 'tare mass of at least 4,500 kg'],
  ['co2GPerKm', { max: '65' }, 'CO2 up to 65 g/km'],
  ['gvmKg', { above: '4000', max: '4500' }, 'GVM above 4,000 and up to 4,500 kg'],
  ['year', { above: '1995', max: '2005' }, 'year of manufacture after 1995 and up to 2005'],
  ['cylinders', { min: '5', max: '6' }, '5 to 6 cylinders'],
  ['cylinders', { max: '0' }, 'no cylinders'],
  ['rotors', { min: '1', max: '1' }, '1 rotor'],
  ['seats', { above: '9' }, 'more than 9 seats'],
  ['previouslyRegistered', false, 'never registered before'],
  ['fuelType', ['BEV', 'FCEV'], 'battery electric or fuel cell'],
  ['bodyType', ['people_mover'], 'people mover'],
  ['customerType', ['consumer'], 'private buyer'],
  ['manufactureDate', { to: '1997-12-31' }, 'made by 31 December 1997'],
  ['requestedDate', { from: '2027-07-01' }, 'registration starting from 1 July 2027'],
])('a test of %s is said in the words of a reader', (fact, asked, words) => {
  expect(FOR_READERS.test(fact, asked, ALONE)).toBe(words)
})

test('beside other tests, a list says where it begins, and a fact that a request must have is stated', () => {
  const resolver = { amount: String, words: FOR_READERS } as unknown as Resolver
  const condition: Condition = {
    condition: ['used'],
    fuelType: ['HEV', 'PHEV'],
    present: ['fuelType', 'seats'],
    not: ['heavy', 'bus'],
    age: { from: 'firstRegisteredDate', moreThanYears: 2 },
  }
  expect(conditionWords(condition, resolver)).toBe(
    'neither heavy nor bus and used and either hybrid or plug-in hybrid (as stated) and first registered more than 2 years ago and stated seats',
  )
})

test.each([
  [{ to: '0.10' }, 'to the nearest 10 cents'],
  [{ to: '1', mode: 'down' }, 'down to the last dollar'],
  [{ to: '5', mode: 'up' }, 'up to the next $5'],
] as const)('a rounding %o is said in the words of a reader', (round, words) => {
  expect(FOR_READERS.rounding(round)).toBe(words)
})
