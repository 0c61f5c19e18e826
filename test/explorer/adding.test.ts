import { expect, test } from 'vitest'
import { explorerInChromium } from './in-chromium.ts'

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
