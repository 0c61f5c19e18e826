import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explorerInChromium } from './in-chromium.ts'

const { own, open } = explorerInChromium()

test('each term that a state offers is a dot, for the terms between have no price', async () => {
  await open('curve', { over: 'termMonths' })
  const ends = "[...document.querySelectorAll('svg .dot')].map((dot) => getComputedStyle(dot).strokeLinecap)"
  expect(await own.page.evaluate(ends)).toEqual(['round', 'round', 'round'])
  expect(await own.page.locator('figcaption').textContent()).toMatch(/^Each dot is a value that has a price/)
})

test('the largest price has room for its amounts, and a larger one is refused in a link and in the field', async () => {
  await open('curve', { value: '100000000' })
  const cut = await own.page.locator('svg text').evaluateAll((texts) =>
    texts
      .filter((text) => {
        const svg = text.closest('svg')!.getBoundingClientRect()
        return text.getBoundingClientRect().left < svg.left
      })
      .map((text) => text.textContent),
  )
  expect(cut).toEqual([])
  const said = own.page.locator('#view [role=alert] p')
  for (const view of ['price', 'curve', 'calendar', 'difference']) {
    await open(view, { value: '1e300' })
    expect(await said.textContent()).toContain('“1e300” is too large: enter at most $100,000,000.')
  }
  await open('price', { listPrice: '99999999999999999' })
  expect(await said.textContent()).toContain('List price “99999999999999999” is too large')
  await open('price')
  await own.page.locator('[name=value]').fill('99999999999999999')
  await said.waitFor()
  expect(await said.textContent()).toContain('is too large: enter at most $100,000,000.')
  expect(await own.page.locator('[name=value]').getAttribute('aria-invalid')).toBe('true')
})

test('a chart that is saved from a dark page has its background, its fonts and the name of each curve', async () => {
  await own.page.emulateMedia({ colorScheme: 'dark' })
  await open('curve', { with: 'pricingCode:AU_NSW' })
  const [download] = await Promise.all([own.page.waitForEvent('download'), own.page.getByText('Save as SVG').click()])
  // Looked at by itself, as whoever gets the file does; the page of the explorer refuses images from elsewhere.
  const other = await own.browser.newPage({ colorScheme: 'light' })
  await other.setContent(readFileSync(await download.path(), 'utf8'))
  const paper = 'rgb(21, 24, 28)'
  expect(await other.locator('svg > rect').first().getAttribute('fill')).toBe(paper)
  const legend = other.locator('svg .legend')
  expect(await legend.allTextContents()).toEqual(['Victoria', 'New South Wales'])
  const strokes = await legend.locator('path').evaluateAll((all) => all.map((each) => each.getAttribute('stroke')))
  expect(new Set([...strokes, paper]).size).toBe(3)
  const texts = await other
    .locator('svg text')
    .evaluateAll((all) => all.map((each) => each.getAttribute('font-family')))
  expect(texts.every((family) => /\w/.test(family ?? ''))).toBe(true)
  // All of it is inside the picture.
  const heights =
    '[...document.querySelectorAll("svg, svg .legend text")].map((each) => each.getBoundingClientRect().bottom)'
  const [whole = 0, ...entries] = (await other.evaluate(heights)) as number[]
  expect(entries.every((bottom) => bottom <= whole)).toBe(true)
  await other.close()
})

test('on a wide screen the chart is wide too, and the first curve is above the thick fourth one', async () => {
  await own.page.setViewportSize({ width: 3840, height: 2160 })
  await open('curve', { with: 'fuelType:BEV,fuelType:HEV,startDate:2026-07-01' })
  await own.page.locator('svg .curve-3').first().waitFor({ state: 'attached' })
  const drawn = await own.page
    .locator('svg .curve')
    .evaluateAll((paths) => paths.map(({ classList }) => [...classList].find((name) => name.startsWith('curve-'))))
  expect([...new Set(drawn)]).toEqual(['curve-3', 'curve-0', 'curve-1', 'curve-2'])
  expect(Number(await own.page.locator('svg').first().getAttribute('width'))).toBe(2000)
})
