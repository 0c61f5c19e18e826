import { expect, test } from 'vitest'
import { FOR_READERS } from '#notices/reader-words.ts'
import { statementsOn } from '#rates/diff/statements.ts'
import { AS_WRITTEN, type Vocabulary } from '#rates/diff/vocabulary.ts'
import { yearDates } from '#rates/engine/dates.ts'
import { sets } from '../rates/properties/sets.ts'

/** Texts that a set writes for people itself: its own names may stand in them. */
const FREE = new Set(['outcome', 'missing', 'evidence', 'sources'])

/** Names as programs write them, in all that a set says on its first day: `usageType`, `FEE_UNIT`, `people_mover`. */
function programNames(vocabulary: Vocabulary): string[] {
  return sets.flatMap((spec) => {
    const imports = sets.filter(
      (one) => one.financialYear === spec.financialYear && spec.imports?.includes(one.pricingCode),
    )
    const said = [...statementsOn({ spec, imports }, yearDates(spec.financialYear).startDate, vocabulary).values()]
    const texts = said.flatMap(({ key, component, label, value, told, titles = [] }) => {
      if (component === 'offers' || component === 'missing facts') return []
      const words = [label, ...titles.map((title) => title.words), ...(told ? [told.label] : [])]
      return FREE.has(key) ? words : [...words, value, ...(told ? [told.value] : [])]
    })
    return texts.flatMap((text) => text.match(/\b[a-z]+[A-Z]\w*|\b[A-Za-z]+_\w+/g) ?? [])
  })
}

test('nothing that a rate set says is told to a reader in the names of programs', () => {
  expect(programNames(AS_WRITTEN).length).toBeGreaterThan(1_000)
  expect([...new Set(programNames(FOR_READERS))]).toEqual([])
})

test('what is left beside other cases is said by them, and of many by itself', () => {
  const { otherwise } = FOR_READERS
  expect(otherwise(['taxi'])).toEqual({ words: 'unless taxi', isBehind: true })
  expect(otherwise(['taxi', 'heavy', 'passenger']).words).toBe('unless taxi, heavy or passenger')
  expect(otherwise(['taxi', 'x'.repeat(80)]).words).toBe('where no special case applies')
})

test.each([
  ['tareKg', { min: '4500' }, 'tare mass at least 4,500 kg'],
  ['year', { above: '1995', max: '2005' }, 'year of manufacture above 1995 and at most 2005'],
  ['previouslyRegistered', false, 'not registered before'],
  ['fuelType', ['BEV', 'FCEV'], 'fuel is battery electric or fuel cell'],
  ['bodyType', ['people_mover'], 'body is people mover'],
])('a test of %s is said in the words of a reader', (fact, asked, words) => {
  expect(FOR_READERS.test(fact, asked)).toBe(words)
})

test.each([
  [{ to: '0.10' }, 'to the nearest 10 cents'],
  [{ to: '1', mode: 'down' }, 'down to the last dollar'],
  [{ to: '5', mode: 'up' }, 'up to the next $5'],
] as const)('a rounding %o is said in the words of a reader', (round, words) => {
  expect(FOR_READERS.rounding(round)).toBe(words)
})
