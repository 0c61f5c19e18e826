import { expect, test } from 'vitest'
import { quote } from '#rates/engine/quote/quote.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'
import { addCurve, explorerInChromium, rowsOf } from './in-chromium.ts'

const { own, open } = explorerInChromium()

test('with the keyboard, arrow keys choose in the list of curves and Enter or the button adds, and the focus stays', async () => {
  await open('curve', { component: 'onRoad' })
  const { keyboard } = own.page
  const count = () => own.page.locator('.legend li').count()
  const isFocused = (id: string) => own.page.locator(id).evaluate((one) => one.matches(':focus'))
  await own.page.locator('#compare').focus()
  for (let press = 0; press < 3; press++) await keyboard.press('ArrowDown')
  const chosen = await own.page.locator('#compare').inputValue()
  expect(chosen).toMatch(/^pricingCode:/)
  expect([await count(), await isFocused('#compare'), own.page.url()]).toEqual([
    0,
    true,
    expect.not.stringContaining('with='),
  ])
  await keyboard.press('Enter')
  await expect.poll(count).toBe(2)
  expect(own.page.url()).toContain(encodeURIComponent(chosen))
  expect([await isFocused('#compare'), await own.page.locator('#compare').inputValue()]).toEqual([true, ''])
  // What is chosen stays while another choice draws the view again.
  await own.page.locator('#compare').selectOption('fuelType:BEV')
  await own.page.locator('[name=value]').fill('60000')
  await own.page.locator('#view p', { hasText: 'At $60,000.00' }).waitFor()
  await own.page.locator('#over').selectOption('tareKg')
  await own.page.locator('h2', { hasText: 'by tare' }).waitFor()
  await own.page.locator('#add').focus()
  await keyboard.press('Enter')
  await expect.poll(count).toBe(3)
  expect(await isFocused('#add')).toBe(true)
  await keyboard.press('Enter')
  expect(await count()).toBe(3)
  await own.page.locator('#compare').selectOption('fuelType:HEV')
  await own.page.locator('#add').focus()
  await keyboard.press('Enter')
  await expect.poll(count).toBe(4)
  expect([await isFocused('#full'), await own.page.locator('#full').textContent()]).toEqual([
    ...[true, 'A chart has at most 4 curves: remove one to add another.'],
  ])
})

test('where only one curve has a step, the table has the amounts of the others too', async () => {
  await open('curve', { cylinders: '4' })
  await addCurve(own.page, 'pricingCode:AU_QLD')
  await own.page.locator('summary', { hasText: 'The values as a table' }).click()
  const rows = await rowsOf(own.page, 'Drive-away price by price')
  expect(rows.flat()).not.toContain('–')
  // The cliff of Queensland, where Victoria has none.
  const victoria = (value: number) =>
    quote(
      {
        ...{ pricingCode: 'AU_VIC', showroomCode: 'ANY', purchaseDate: '2026-11-01' },
        vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: 150, cylinders: 4 },
        pricingInputs: { dutiable: [{ description: 'Vehicle', value, kind: 'vehicle' }] },
        registration: { startDate: '2026-11-01', termMonths: 12, postcode: '3000' },
      },
      snapshotOf(sets),
    ).totals.driveAway
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
  for (const price of [95_571_31, 95_571_32])
    expect(rows.find(([first]) => first === dollars(price))?.[1]).toBe(dollars(victoria(price)))
})

test('what is chosen above a chart is in the address, and is no entry of the history', async () => {
  await open('curve')
  const entries = () => own.page.evaluate('history.length')
  const before = await entries()
  await own.page.locator('#over').selectOption('termMonths')
  await own.page.locator('h2', { hasText: 'by term' }).waitFor()
  await own.page.locator('#component').selectOption('onRoad')
  await own.page.locator('h2', { hasText: 'On-road charges by term' }).waitFor()
  expect([own.page.url(), await entries()]).toEqual([expect.stringContaining('component=onRoad'), before])
  await own.page.locator('summary', { hasText: 'The values as a table' }).click()
  expect((await rowsOf(own.page, 'by term')).slice(0, 2).map(([term]) => term)).toEqual(['one month', '2 months'])
})
