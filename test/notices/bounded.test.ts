import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { bounded } from '#notices/bounded.ts'

const change = (pricingCode: string, label: string, more: Partial<FigureChange> = {}): FigureChange => ({
  ...{ pricingCode, component: 'PLATES', kind: 'rule', label, about: 'figure', old: '$1', new: '$2' },
  ...{ from: '2026-07-01', sources: [], ...more },
})
const several = (pricingCode: string, count: number) =>
  Array.from({ length: count }, (_, at) => change(pricingCode, String(at)))

test('few changes are all listed', () => {
  const changes = several('AU_VIC', 3)
  expect(bounded(changes, 3)).toEqual({ changes })
})

test('of many each pricing code and day keeps an equal share, and the others are counted', () => {
  const { changes, more } = bounded([...several('AU_NSW', 9), ...several('AU_VIC', 2), ...several('AU_WA', 8)], 8)
  expect(changes.map(({ pricingCode, label }) => `${pricingCode} ${label}`)).toEqual([
    ...['AU_NSW 0', 'AU_NSW 1', 'AU_NSW 2', 'AU_VIC 0', 'AU_VIC 1', 'AU_WA 0', 'AU_WA 1', 'AU_WA 2'],
  ])
  expect(more).toEqual([
    { pricingCode: 'AU_NSW', from: '2026-07-01', count: 6 },
    { pricingCode: 'AU_WA', from: '2026-07-01', count: 5 },
  ])
})

test('figures are listed before what decides which of them applies', () => {
  const terms = change('AU_VIC', 'cases', { about: 'terms' })
  expect(bounded([terms, ...several('AU_VIC', 2)], 2).changes.map(({ label }) => label)).toEqual(['0', '1'])
})

test('whole sets are always listed: what a reader has to do depends on them', () => {
  const set = (code: string) =>
    change(code, 'rate set FY27', { kind: 'set', component: 'set', about: 'terms', old: null })
  const all = ['AU_NSW', 'AU_VIC', 'AU_WA'].flatMap((code) => [set(code), ...several(code, 2)])
  const { changes, more } = bounded(all, 2)
  expect(changes.map(({ pricingCode, kind }) => `${pricingCode} ${kind}`)).toEqual([
    'AU_NSW set',
    'AU_VIC set',
    'AU_WA set',
  ])
  expect(more).toHaveLength(3)
})

test('of two long lists what differs is said, and one long text is cut', () => {
  const postcodes = Array.from({ length: 50 }, (_, at) => String(3000 + at))
  const parts = [postcodes, [...postcodes, '3999']] as const
  const [old, now] = [parts[0].join(', '), parts[1].join(', ')]
  const lists = change('AU_VIC', 'METRO', { old, new: now, parts })
  const text = change('AU_VIC', 'outcome', { old: null, new: 'x'.repeat(500) })
  const longer = change('AU_VIC', 'METRO', { old, new: now })
  const [list, cut, oneText] = bounded([lists, text, longer]).changes
  expect(list).toMatchObject({ old: 'without', new: 'with 3999' })
  expect(cut).toMatchObject({ old: null, new: `${'x'.repeat(159)}…` })
  // 20 characters before the first that differs, here behind the whole of the first text.
  expect(oneText).toMatchObject({ old: '…46, 3047, 3048, 3049', new: '…46, 3047, 3048, 3049, 3999' })
})

test('of more jurisdictions and days than are listed some are listed, and a correction among the others is not lost', () => {
  const codes = Array.from({ length: 300 }, (_, at) =>
    change(`AU_${at}`, 'amount', at > 250 ? { correction: true } : {}),
  )
  const { changes, more } = bounded(codes)
  expect(changes).toHaveLength(200)
  expect(more).toHaveLength(100)
  expect(more!.filter(({ correction }) => correction)).toHaveLength(49)
})
