import { expect, test } from 'vitest'
import { explorerInChromium } from './in-chromium.ts'

const { own, open } = explorerInChromium()

/** Pixels of an A4 page between margins of a centimetre. */
const PAPER = { width: 718, height: 1047 }
const CONTROLS = 'nav, button, .skip, #slider, .choices, select:not(#form select), summary:not(td summary)'

const visible = (selector: string) => own.page.locator(selector).filter({ visible: true })

test.each(['price', 'curve', 'calendar', 'map', 'difference'])(
  'on paper the view %s has its tables, whole and on white, and no control',
  async (view) => {
    await own.page.setViewportSize(PAPER)
    await own.page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await open(view)
    expect(await visible(CONTROLS).count()).toBe(0)
    expect(await visible('#view table').count()).toBe(await own.page.locator('#view table').count())
    expect(await visible('#view table').count()).toBeGreaterThan(0)
    // Paper does not scroll: nothing is wider than it.
    const widths = await own.page
      .locator('#view table, #view svg')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right))
    expect(Math.max(...widths)).toBeLessThanOrEqual(PAPER.width + 1)
    expect(await own.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PAPER.width)
    expect(await own.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    const pages = await own.page.pdf({ format: 'A4' })
    expect(pages.subarray(0, 5).toString()).toBe('%PDF-')
  },
)

test('on paper what was chosen is text, empty fields are left out, and an unfolded rule has the addresses of its pages', async () => {
  await open('price')
  const duty = own.page.locator('tr', { hasText: 'Motor vehicle duty' })
  await duty.locator('summary').click()
  await own.page.emulateMedia({ media: 'print' })
  expect(await visible('label[data-field=pricingCode]').count()).toBe(1)
  expect(await visible('label[data-field=gvmKg]').count()).toBe(0)
  const first = duty.locator('li a').first()
  expect(await first.isVisible()).toBe(true)
  const address = await own.page.evaluate(
    "getComputedStyle(document.querySelector('details[open] li a'), '::after').content",
  )
  expect(address).toContain('https://')
})
