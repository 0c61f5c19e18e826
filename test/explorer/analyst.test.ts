import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { explorerInChromium, rowsOf } from './in-chromium.ts'

// What a new analyst looks for, from the bare address, without a manual: first with the mouse, then with the keyboard.
const { own } = explorerInChromium()

/** More presses than this, and a person gives up. */
const MOST_PRESSES = 40

beforeEach(async () => {
  await own.page.clock.setFixedTime('2026-11-26T10:00:00+11:00')
  await own.page.goto(own.url)
  await own.page.locator('#view h2').first().waitFor()
})

const cliffs = () => own.page.locator('table', { has: own.page.locator('caption', { hasText: 'Cliffs' }) })

/** Presses Tab until the focus is on `target`. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((one) => one.matches(':focus'))) return
  }
  throw new Error(`not reached by ${MOST_PRESSES} presses of Tab: ${String(target)}`)
}

test('with the mouse: the Victorian cliff at the luxury threshold, what crossing it costs, and which law says so', async () => {
  // The page opens with a car in Melbourne; luxury car tax says where its threshold is.
  const luxury = own.page.locator('tr', { hasText: 'Luxury car tax' })
  await luxury.locator('summary').click()
  await luxury.locator('li', { hasText: '$80,809' }).first().waitFor()

  await own.page.locator('nav a', { hasText: 'Curve' }).click()
  const cliff = cliffs().locator('tr', { hasText: '$80,809.00' })
  expect(await cliff.locator('td').first().textContent()).toBe('$810.01')
  expect(await own.page.locator('svg .cliff-label').allTextContents()).toContain('+$810.01')

  await cliff.locator('summary', { hasText: 'Stamp duty $810.00' }).click()
  const law = cliff.locator('a', { hasText: 'Duties Act 2000 (Vic), s 218' })
  expect(await law.isVisible()).toBe(true)
  expect(await law.getAttribute('href')).toMatch(/^https?:\/\/[^/]*austlii\.edu\.au\//)
  const said = await cliff.locator('details li').allTextContents()
  expect(said.filter((each) => each.includes('for each'))).toEqual([
    '$8.40 for each $200.00 or part = $3,402.00',
    '$10.40 for each $200.00 or part = $4,212.00',
  ])
})

test('with the keyboard alone: the same cliff and its law', async () => {
  const { keyboard } = own.page
  await tabTo(own.page, own.page.locator('nav a', { hasText: 'Curve' }))
  await keyboard.press('Enter')
  await cliffs().waitFor()
  // The link past the form leads to the result.
  await own.page.evaluate('document.activeElement.blur()')
  await tabTo(own.page, own.page.locator('.skip'))
  await keyboard.press('Enter')
  const jump = cliffs().locator('summary', { hasText: 'Stamp duty $810.00' })
  await tabTo(own.page, jump)
  await keyboard.press('Enter')
  const law = cliffs().locator('a', { hasText: 'Duties Act 2000 (Vic), s 218' }).first()
  await tabTo(own.page, law)
  expect(await law.isVisible()).toBe(true)
})

test('what changes on 1 February 2027 in the ACT, and by which rule', async () => {
  const { keyboard } = own.page
  await tabTo(own.page, own.page.locator('nav a', { hasText: 'Calendar' }))
  await keyboard.press('Enter')
  await own.page.locator('h2', { hasText: 'What changes' }).waitFor()
  await own.page.locator('[name=pricingCode]').focus()
  await keyboard.type('Aus')
  await expect
    .poll(async () => (await rowsOf(own.page, 'Changes')).filter(([day]) => day === '1 February 2027').length)
    .toBe(1)
  const february = own.page.locator('tr', { hasText: '1 February 2027' })
  expect((await february.locator('td').allTextContents()).slice(0, 4)).toEqual([
    ...['Stamp duty', '$242.00', '$4,201.00', '$4,443.00'],
  ])
  await tabTo(own.page, february.locator('summary'))
  await keyboard.press('Enter')
  await february.locator('p', { hasText: 'Rule AU_ACT_STAMP_DUTY' }).waitFor()
  expect(await february.locator('li a').first().getAttribute('href')).toMatch(/^https:\/\//)
})
