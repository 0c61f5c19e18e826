import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explorerInChromium, rowsOf } from './in-chromium.ts'

// What is due without a figure in the sources: nobody knows it, so it is neither $0, nor no line, nor a jump.
const { own, open } = explorerInChromium()

// The stamp duty of the ACT before 1 September 2025 and the establishment fee of 2026-27 are not in the sources.
const ACT = { pricingCode: 'AU_ACT', postcode: '2600' }

async function saved(): Promise<string[]> {
  const [download] = await Promise.all([own.page.waitForEvent('download'), own.page.getByText('Save as CSV').click()])
  return readFileSync(await download.path(), 'utf8').split('\n')
}

test('the calendar says of a day on which a figure ends or begins that there is no price, and why', async () => {
  await open('calendar', ACT)
  const row = own.page.locator('tr', { hasText: '1 July 2026Establishment fee' })
  await row.locator('summary').click()
  const changes = await rowsOf(own.page, 'Changes of the charges')
  const of = (day: string, charge: string) => changes.find(([from, what]) => from === day && what === charge)
  expect(of('1 September 2025', 'Stamp duty')?.slice(2, 5)).toEqual(['not known', 'no price', '$4,209.00'])
  expect(of('1 July 2026', 'Establishment fee')?.slice(2, 5)).toEqual(['not known', '$114.50', 'no price'])
  expect(of('1 July 2026', 'Establishment fee')?.at(6)).toContain('is not in the sources')
  const lines = await saved()
  expect(lines).toContain('2026-07-01,ESTABLISHMENT_FEE,11450,no price')
  expect(lines).toContain('2025-09-01,STAMP_DUTY,no price,420900')
})

test('a curve breaks where a charge gets its price: it is no cliff, and the law of both sides is there', async () => {
  await open('curve', { ...ACT, over: 'startDate' })
  const cliffs = await rowsOf(own.page, 'Cliffs')
  expect(cliffs.map(([below]) => below)).not.toContain('31 August 2025')
  await own.page.locator('summary', { hasText: 'Stamp duty: no price before' }).click()
  const breaks = await rowsOf(own.page, 'Breaks')
  const duty = breaks.find(([from]) => from === '1 September 2025')!
  expect(duty[1]).toContain('At 31 August 2025: ')
  expect(duty[1]).toMatch(/At 31 August 2025: [^$]*not in the sources/)
  expect(duty[1]).toContain('At 1 September 2025: $4,209.00')
  expect(breaks.find(([from]) => from === '1 July 2026')?.[1]).toContain('Establishment fee: no price from here')
  // The curve ends at each break, and begins anew.
  expect(await own.page.locator('svg .curve').count()).toBe(cliffs.length + breaks.length + 1)
  expect(await own.page.locator('.incomplete').textContent()).toMatch(/^Left out at some values.*stamp duty/)
  await own.page.locator('summary', { hasText: 'The values as a table' }).click()
  const values = await rowsOf(own.page, 'Drive-away price by')
  expect(values.find(([x]) => x === '31 August 2025')?.[1]).toMatch(/^\$.* \(incomplete\)$/)
  const lines = await saved()
  expect(lines[0]).toBe('startDate,amount_cents,without_price')
  expect(lines.find((line) => line.startsWith('2025-08-31,'))).toMatch(/,\d+,.*STAMP_DUTY/)
})

test('the curve of a charge has a gap where the charge has no price', async () => {
  await open('curve', { ...ACT, over: 'startDate', component: 'STAMP_DUTY' })
  await own.page.locator('summary', { hasText: 'The values as a table' }).click()
  const values = await rowsOf(own.page, 'Stamp duty by')
  expect(values.find(([x]) => x === '31 August 2025')?.[1]).toBe('no price')
  expect(values.map(([, amount]) => amount)).not.toContain('$0.00')
  const lines = await saved()
  expect(lines.find((line) => line.startsWith('2025-08-31,'))).toBe('2025-08-31,no price,STAMP_DUTY')
  await open('curve', { ...ACT, component: 'ESTABLISHMENT_FEE' })
  await own.page.locator('.refused', { hasText: 'Establishment fee has no price at any value.' }).waitFor()
})

test('every charge of the state can be drawn, and a charge that the state does not have is no line of $0', async () => {
  const list = own.page.locator('#component')
  await open('curve', { value: '50000', component: 'LUXURY_CAR_TAX' })
  expect(await list.inputValue()).toBe('LUXURY_CAR_TAX')
  expect(await rowsOf(own.page, 'Cliffs')).toEqual([])
  expect(await own.page.locator('svg .curve').count()).toBe(1)
  for (const [component, name] of [
    ['ROAD_RESCUE_FEE', 'Road rescue fee'],
    ['NOPE', 'NOPE'],
  ] as const) {
    await open('curve', { component })
    expect(await list.inputValue()).toBe(component)
    await own.page.locator('.refused', { hasText: `Victoria: There is no charge with the name “${name}”.` }).waitFor()
    expect(await own.page.locator('svg').count()).toBe(0)
  }
})

test('the map names a charge without a figure, for all vehicles or for some, each with an icon of its own', async () => {
  await open('map')
  const rows = await rowsOf(own.page, 'Financial year 2026-2027')
  const ofTheAct = (charge: string) => rows.find(([name]) => name === charge)?.[1]?.trim()
  expect(ofTheAct('Establishment fee')).toBe('Unpriced')
  expect(ofTheAct('Plates')).toBe('Estimate')
  expect(rows.flat().some((cell) => /^(Official|Secondary|Derived|Estimate) .*Gaps/.test(cell))).toBe(true)
  const icons = await own.page.evaluate(`[...document.querySelectorAll('.legend .grade')].map((grade) => {
    const { backgroundImage, backgroundColor, borderStyle, borderColor } = getComputedStyle(grade, '::before')
    return [backgroundImage, backgroundColor, borderStyle, borderColor].join()
  })`)
  expect(new Set(icons as string[]).size).toBe(6)
  await own.page.locator('p', { hasText: 'the first of the pages that the rule rests on' }).waitFor()
  const lines = await saved()
  expect(lines.find((line) => line.startsWith('2026-2027,AU_ACT,ESTABLISHMENT_FEE,'))).toMatch(/,secondary,all,/)
})
