import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { quote } from '#rates/engine/quote/quote.ts'
import { buildPage } from '#explorer/build.ts'
import { startChromium, watchedPage, type WatchedPage } from '../harness/chromium.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const folder = temporaryDirectory('explorer')
const victoria = join(folder.path, 'au-vic/fy27.yaml')

let explorer: ChildProcess
let url: string
let browser: Browser
let watched: WatchedPage
let page: Page

beforeAll(async () => {
  cpSync('rates/sets', folder.path, { recursive: true })
  explorer = spawn(
    process.execPath,
    ['cli/main.ts', 'explore', folder.path, '--against', 'rates/sets', '--port', '0'],
    { stdio: 'pipe' },
  )
  const [line] = (await once(explorer.stdout!, 'data')) as [Buffer]
  url = /^(http:\S+) /.exec(line.toString())![1]!
  browser = await startChromium()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  explorer?.kill()
  folder.remove()
})
beforeEach(async () => {
  watched = await watchedPage(browser)
  page = watched.page
  return async () => {
    // Nothing that the strict policy refuses, no error, and no other host.
    expect(watched.complaints).toEqual([])
    expect(watched.requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
    await page.close()
  }
})

/** The address of a view of a new SUV in Victoria in November 2026, with what is chosen otherwise. */
function addressOf(view: string, chosen: Record<string, string> = {}): string {
  const vehicle = { value: '90000', bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: '150' }
  const registration = { pricingCode: 'AU_VIC', startDate: '2026-11-01', termMonths: '12', postcode: '3000' }
  return `${url}#${new URLSearchParams({ view, ...registration, ...vehicle, ...chosen })}`
}

async function open(view: string, chosen: Record<string, string> = {}): Promise<void> {
  await page.goto(addressOf(view, chosen))
  await page.locator('#view h2').first().waitFor()
}

/** The rows of a table by its caption, cell by cell. */
const rowsOf = (caption: string) =>
  page
    .locator('table', { has: page.locator('caption', { hasText: caption }) })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))

test('the price is the price of the engine, line by line, with grade, rule and sources', async () => {
  await open('price', { postcode: '3500' })
  const expected = quote(
    {
      ...{ pricingCode: 'AU_VIC', showroomCode: 'ANY', purchaseDate: '2026-11-01' },
      vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: 150 },
      pricingInputs: { dutiable: [{ description: 'Vehicle', value: 90_000_00, kind: 'vehicle' }] },
      registration: { startDate: '2026-11-01', termMonths: 12, postcode: '3500' },
    },
    snapshotOf(sets),
  )
  const lines = [...expected.categories.dutiable, ...expected.categories.onRoad]
  const shown = (await rowsOf('Lines of the quote')).map(([name, , amount]) => [name, amount])
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
  expect(shown).toEqual([
    ...lines.map(({ description, value }) => [description, dollars(value)]),
    ['Drive-away price', dollars(expected.totals.driveAway)],
  ])
  const duty = page.locator('tr', { hasText: 'Motor vehicle duty' })
  await duty.locator('summary').click()
  await expect.poll(() => duty.locator('li a').first().getAttribute('href')).toMatch(/^https:\/\//)
})

test('the Victorian cliffs are on the curve to the cent, with what crossing each costs', async () => {
  await open('curve')
  // 405 steps of $200 at $10.40 in place of $8.40 (Duties Act 2000 (Vic) s 218), and the cent itself.
  expect((await rowsOf('Cliffs'))[0]).toEqual(['$80,809.00', '$85,214.00', '$810.01', 'Stamp duty $810.00'])
  // The curve ends at each of the three cliffs and begins anew.
  expect(await page.locator('svg .curve').count()).toBe(4)
  expect(await page.locator('svg .unreached').count()).toBe(3)
})

test('the curve of the motor tax over the tare has each row of the table as a step, to the kilogram', async () => {
  await open('curve', { pricingCode: 'AU_NSW', postcode: '2000', over: 'tareKg', component: 'MOTOR_TAX' })
  // Private use, 2026-27 (motor vehicle tax, NSW): to 975 kg $285, to 1,154 kg $330, to 1,504 kg $401, to 2,504 kg $611.
  const rows = await rowsOf('Cliffs')
  expect(rows.slice(0, 3).map(([below, amount]) => [below, amount])).toEqual([
    ['975 kg', '$285.00'],
    ['1,154 kg', '$330.00'],
    ['1,504 kg', '$401.00'],
  ])
  expect(rows[0]?.slice(2)).toEqual(['$45.00', 'Motor tax $45.00'])
  expect(await page.locator('svg .curve').count()).toBe(rows.length + 1)
})

test('each whole value of a fact is drawn, and is the quote of the engine', async () => {
  await open('curve', { pricingCode: 'AU_ACT', postcode: '', tareKg: '1600', over: 'co2GPerKm' })
  const table = page.locator('details', { hasText: 'The values as a table' })
  await table.locator('summary').click()
  const shown = new Map(
    (await rowsOf('Drive-away price over the CO2')).map(([value = '', amount = '']) => [
      Number.parseInt(value),
      amount,
    ]),
  )
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
  const at = (co2GPerKm: number) =>
    quote(
      {
        ...{ pricingCode: 'AU_ACT', showroomCode: 'ANY', purchaseDate: '2026-11-01' },
        vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm, tareKg: 1600 },
        pricingInputs: { dutiable: [{ description: 'Vehicle', value: 90_000_00, kind: 'vehicle' }] },
        registration: { startDate: '2026-11-01', termMonths: 12 },
      },
      snapshotOf(sets),
    ).totals.driveAway
  // The categories of the ACT end at 65, 130, 175 and 220 g/km.
  for (const value of [65, 66, 130, 131, 175, 176, 220, 221]) expect(shown.get(value)).toBe(dollars(at(value)))
  // A petrol car without emissions is refused, and the curve has a gap there.
  expect(shown.get(0)).toBe('no price')
})

test('up to three curves are added, each named, and removed again; the link holds them', async () => {
  await open('curve', { component: 'onRoad' })
  const add = page.locator('#compare')
  for (const choice of ['pricingCode:AU_NSW', 'fuelType:BEV', 'startDate:2025-07-01']) await add.selectOption(choice)
  expect(await page.locator('.legend li').allTextContents()).toEqual([
    'Victoria, ICE, 1 November 2026',
    ...['New South Wales', 'BEV', '1 July 2025'],
  ])
  expect(await add.count()).toBe(0)
  for (const n of [0, 1, 2, 3]) expect(await page.locator(`svg .curve-${n}`).count()).toBeGreaterThan(0)
  const link = page.url()
  await page.locator('button', { hasText: 'Remove BEV' }).click()
  expect(await page.locator('.legend li').count()).toBe(3)
  await page.goto(link)
  await expect.poll(() => page.locator('.legend li').count()).toBe(4)
})

test('a curve that has no price says why beside those that have one', async () => {
  await open('curve', { startDate: '2026-07-01', with: 'startDate:2035-07-01' })
  expect(await page.locator('.refused').textContent()).toMatch(/^1 July 2035: /)
  expect(await page.locator('svg .curve').count()).toBeGreaterThan(0)
})

test('the calendar of the ACT tells what changes on 1 February 2027', async () => {
  await open('calendar', { pricingCode: 'AU_ACT', postcode: '2600', tareKg: '1600' })
  const changes = await rowsOf('Changes of the charges')
  const february = changes.filter(([day]) => day === '1 February 2027')
  expect(february.length).toBeGreaterThan(0)
  expect(february.every(([, , before, after]) => before !== after)).toBe(true)
})

test('the map shows every jurisdiction and every year', async () => {
  await open('map')
  const years = await page.locator('caption').allTextContents()
  expect(years).toEqual(['Financial year 2026-2027', 'Financial year 2025-2026', 'Financial year 2024-2025'])
  expect(await page.locator('table').first().locator('thead th').count()).toBe(9)
})

test('a field appears when a charge depends on it, and says what is assumed without it', async () => {
  await open('price', { postcode: '' })
  const postcode = page.locator('label[data-field=postcode]')
  expect(await postcode.isVisible()).toBe(true)
  expect(await page.locator('label[data-field=rotors]').isVisible()).toBe(false)
  await page.locator('[name=pricingCode]').selectOption('AU_QLD')
  await page.locator('label[data-field=cylinders] .hint', { hasText: 'Not sent' }).waitFor()
})

test('a link restores the view and all that is chosen, and a change of a field changes the link', async () => {
  await open('curve', { pricingCode: 'AU_QLD', postcode: '4000', component: 'STAMP_DUTY' })
  expect(await page.locator('#view h2').textContent()).toBe('Stamp duty over the price before on-road costs')
  await page.locator('[name=value]').fill('45000')
  const link = page.url()
  const other = await browser.newPage()
  await other.goto(link)
  await other.locator('#view h2').waitFor()
  expect(await other.locator('[name=value]').inputValue()).toBe('45000')
  expect(await other.locator('[name=pricingCode]').inputValue()).toBe('AU_QLD')
  expect(await other.locator('#view h2').textContent()).toBe('Stamp duty over the price before on-road costs')
  await other.close()
})

test('a vehicle that is refused says why, and what was chosen stays', async () => {
  await open('price', { manufactureDate: '1990-01-01' })
  await page.locator('[role=alert]', { hasText: 'manufactureDate' }).waitFor()
  expect(await page.locator('[name=manufactureDate]').inputValue()).toBe('1990-01-01')
})

test('an edit of a file is shown at once, with the examples that fail; another fault is shown beside the rates of before', async () => {
  const before = readFileSync(victoria, 'utf8')
  await open('price')
  const duty = page.locator('tr', { hasText: 'Motor vehicle duty' }).locator('td.money')
  expect(await duty.textContent()).toBe('$4,825.60')
  writeFileSync(victoria, before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  // $90,000 and $2,757.30 of luxury car tax are 464 steps of $200.
  await expect.poll(() => duty.textContent(), { timeout: 20_000 }).toBe('$4,918.40')
  await page
    .locator('footer li', { hasText: /fy27\.yaml:\d+.*STAMP_DUTY/ })
    .first()
    .waitFor()
  writeFileSync(victoria, before.replace('  financialYear: "2026-2027"', '  financialYear: "2026-2027"\n  colour: red'))
  await page.locator('footer li', { hasText: /fy27\.yaml:\d+.*colour/ }).waitFor({ timeout: 20_000 })
  expect(await page.locator('footer').textContent()).toContain('these are the rates of before')
  expect(await duty.textContent()).toBe('$4,918.40')
  writeFileSync(victoria, before)
  await expect.poll(() => duty.textContent(), { timeout: 20_000 }).toBe('$4,825.60')
})

test('the difference of two sides is shown in cents, on the curve and in words, and follows an edit', async () => {
  const before = readFileSync(victoria, 'utf8')
  await open('difference')
  await page.locator('p', { hasText: 'On no day does a charge of this vehicle differ.' }).waitFor()
  // Duty above the threshold from $10.40 to $10.60 of each $200: 464 steps of $90,000 with its luxury car tax.
  writeFileSync(victoria, before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  await expect
    .poll(() => rowsOf('Charges of this vehicle that differ'), { timeout: 20_000 })
    .toEqual([['1 July 2026', '30 June 2027', 'Stamp duty', '$4,825.60', '$4,918.40', '$92.80']])
  expect(await page.locator('.legend li').allTextContents()).toEqual(['rates/sets', folder.path])
  const statements = await rowsOf('In words: AU_VIC')
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.every(([from, charge]) => from === '1 July 2026' && charge === 'AU_VIC Stamp duty')).toBe(true)
  expect(statements.map(([, , , was, is]) => [was, is]).join(' ')).toContain('10.40')
  writeFileSync(victoria, before)
  await page.locator('p', { hasText: 'On no day does a charge of this vehicle differ.' }).waitFor({ timeout: 20_000 })
})

test('the views are reached and used with the keyboard alone', async () => {
  await open('price')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('svg .curve').first().waitFor()
  expect(await page.locator('nav a[aria-current]').textContent()).toBe('Curve')
})

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const
const SHOWN = [
  ...['price', 'curve', 'calendar', 'map', 'difference'].map((view) => ({ view, chosen: {} })),
  { view: 'curve', chosen: { over: 'startDate', with: 'pricingCode:AU_NSW,fuelType:BEV' } },
]
const views = SHOWN.flatMap((shown) => LOOKS.map((look) => ({ ...shown, ...look })))

test.each(views)(
  'axe finds nothing in the view $view $chosen, $colorScheme, $width px wide',
  async ({ view, chosen, width, colorScheme }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await open(view, chosen)
    // Past the page's own policy, as a person's tool would be: `evaluate` is not bound by it.
    await page.evaluate(AXE)
    const found = await page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
      ).axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(found).toEqual([])
    // Nothing but tables, which scroll by themselves, is wider than the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  },
)

interface Violation {
  id: string
  nodes: { html: string }[]
}

test('the page with its programs is at most 150 KB, compressed', async () => {
  const files = await buildPage()
  const bytes = [...files.values()].map(({ content }) => gzipSync(content, { level: 9 }).length)
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(150_000)
})

test('another name for this machine gets no rates', async () => {
  const { port } = new URL(url)
  const { request } = await import('node:http')
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/rates.json', headers: { host: 'rates.example' } })
    asked.once('response', (response) => (response.resume(), resolve(response.statusCode)))
    asked.once('error', reject)
    asked.end()
  })
  expect(answer).toBe(421)
})
