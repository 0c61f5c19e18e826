import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { quote } from '#rates/engine/quote/quote.ts'
import { pageFiles } from '#explorer/page-files.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'
import { explorerInChromium, rowsOf } from './in-chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { own, open } = explorerInChromium()

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
  const shown = (await rowsOf(own.page, 'Lines of the quote')).map(([name, , amount]) => [name, amount])
  const dollars = (cents: number) => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
  expect(shown).toEqual([
    ...lines.map(({ description, value }) => [description, dollars(value)]),
    ['Drive-away price', dollars(expected.totals.driveAway)],
  ])
  const duty = own.page.locator('tr', { hasText: 'Motor vehicle duty' })
  await duty.locator('summary').click()
  await expect.poll(() => duty.locator('li a').first().getAttribute('href')).toMatch(/^https:\/\//)
  expect(await duty.locator('p', { hasText: 'Grade:' }).textContent()).toMatch(/Of this rule: case \d+, band \d+\.$/)
})

test('the calendar of the ACT tells what changes on 1 February 2027', async () => {
  await open('calendar', { pricingCode: 'AU_ACT', postcode: '2600', tareKg: '1600' })
  await own.page.locator('tr', { hasText: '1 February 2027' }).locator('summary').click()
  const changes = await rowsOf(own.page, 'Changes of the charges')
  const february = changes.filter(([day]) => day === '1 February 2027')
  expect(february.map((cells) => cells.slice(1, 5))).toEqual([['Stamp duty', '$242.00', '$4,201.00', '$4,443.00']])
  expect(february[0]?.[6]).toContain('Rule AU_ACT_STAMP_DUTY_FY27')
})

test('the map shows every jurisdiction and every year', async () => {
  await open('map')
  const years = await own.page.locator('caption').allTextContents()
  expect(years).toEqual(['Financial year 2026-2027', 'Financial year 2025-2026', 'Financial year 2024-2025'])
  expect(await own.page.locator('table').first().locator('thead th').count()).toBe(9)
})

test('a field appears when a charge depends on it, and says what is assumed without it', async () => {
  await open('price', { postcode: '' })
  const postcode = own.page.locator('label[data-field=postcode]')
  expect(await postcode.isVisible()).toBe(true)
  expect(await own.page.locator('label[data-field=rotors]').isVisible()).toBe(false)
  await own.page.locator('[name=pricingCode]').selectOption('AU_QLD')
  await own.page.locator('label[data-field=cylinders] .hint', { hasText: 'Not sent' }).waitFor()
})

test('a link restores the view and all that is chosen, and a change of a field changes the link', async () => {
  await open('curve', { pricingCode: 'AU_QLD', postcode: '4000', component: 'STAMP_DUTY' })
  expect(await own.page.locator('#view h2').textContent()).toBe('Stamp duty by price before on-road costs')
  await own.page.locator('[name=value]').fill('45000')
  await expect.poll(() => own.page.url()).toContain('value=45000')
  const link = own.page.url()
  const other = await own.browser.newPage()
  await other.goto(link)
  await other.locator('#view h2').waitFor()
  expect(await other.locator('[name=value]').inputValue()).toBe('45000')
  expect(await other.locator('[name=pricingCode]').inputValue()).toBe('AU_QLD')
  expect(await other.locator('#view h2').textContent()).toBe('Stamp duty by price before on-road costs')
  await other.close()
})

test('a link that says little, or what nobody can read, still shows a page', async () => {
  const heading = async (link: string) => {
    await own.page.goto('about:blank')
    await own.page.goto(`${own.url}${link}`)
    return own.page.locator('#view h2').first().textContent()
  }
  expect(await heading('#view')).toMatch(/^Drive away for \$/)
  expect(await heading('#view=curve')).toBe('Drive-away price by price before on-road costs')
  expect(await own.page.locator('[name=value]').inputValue()).toBe('90000')
  expect(await heading('#view=price&pricingCode=AU_XX')).toBe('This vehicle has no price')
  expect(await heading('#view=map&pricingCode=AU_XX')).toBe('What is priced, and on what evidence')
  // A curve over the price needs none.
  expect(await heading('#view=curve&pricingCode=AU_VIC&value=')).toBe('Drive-away price by price before on-road costs')
})

test.each([
  [
    { startDate: '2026-02-30' },
    'startDate',
    'Registered from “2026-02-30” cannot be read: enter a day of the calendar',
  ],
  [{ bodyType: 'spaceship' }, 'bodyType', 'Body “spaceship” cannot be read: choose one of Sedan, Hatch, '],
  [{ fuelType: 'diesel' }, 'fuelType', 'Energy “diesel” cannot be read: choose one of Petrol or diesel, Hybrid, '],
  [{ condition: 'broken' }, 'condition', 'Condition “broken” cannot be read: choose one of New, Used.'],
  [{ pricingCode: 'XX' }, 'pricingCode', 'State or territory “XX” cannot be read: choose one of Australian Capital T'],
  [{ value: '90,000' }, 'value', 'Price before on-road costs “90,000” cannot be read: enter dollars as digits'],
  [{ value: '' }, 'value', 'The price before on-road costs is missing: enter dollars as digits, such as 45000'],
  [{ co2GPerKm: 'low' }, 'co2GPerKm', 'CO2, g/km “low” cannot be read: enter a number as digits'],
  [{ demonstrator: 'maybe' }, 'demonstrator', 'Demonstrator “maybe” cannot be read: choose one of Yes, No.'],
  [
    { postcode: '30000' },
    'postcode',
    'Postcode of the garage “30000” cannot be read: enter the four digits of a postcode',
  ],
  [{ value: '80000.005' }, 'value', 'Price before on-road costs “80000.005” cannot be read: enter dollars as digits'],
])('a link with %j has no price, and the page says what is expected', async (chosen, name, said) => {
  for (const view of ['price', 'calendar', 'difference']) {
    await open(view, chosen as Record<string, string>)
    expect(await own.page.locator('#view h2').allTextContents()).toEqual(['This vehicle has no price'])
    expect(await own.page.locator('#view [role=alert] p').textContent()).toContain(said)
    expect(await own.page.locator(`[name=${name}]`).getAttribute('aria-invalid')).toBe('true')
  }
})

test.each([
  ['value', '80,000', 'Price before on-road costs “80,000” cannot be read: enter dollars as digits'],
  ['value', '-5', 'Price before on-road costs “-5” cannot be read'],
  ['termMonths', 'abc', 'Term, months “abc” cannot be read: enter a whole number as digits'],
  ['co2GPerKm', 'low', 'CO2, g/km “low” cannot be read: enter a number as digits'],
  ['tareKg', '1600.5', 'Tare, kg “1600.5” cannot be read: enter a whole number as digits'],
  ['startDate', '28/11/2026', 'Registered from “28/11/2026” cannot be read: enter a day of the calendar'],
])('a curve over %s does not mark the value %j of a link, and says what is expected', async (over, text, said) => {
  await open('curve', { over, [over]: text })
  expect(await own.page.locator('#view [role=alert] p').textContent()).toContain(said)
  expect(await own.page.locator('#view').textContent()).not.toMatch(/NaN|\$0\.00/)
})

test('an emptied price has no price, and the next one has one', async () => {
  await open('price')
  await own.page.locator('[name=value]').fill('')
  await own.page.locator('[role=alert]', { hasText: 'The price before on-road costs is missing' }).waitFor()
  await own.page.locator('[name=value]').fill('45000')
  await own.page.locator('h2', { hasText: 'Drive away for $' }).waitFor()
})

test('a vehicle that is refused says why, and what was chosen stays', async () => {
  await open('price', { manufactureDate: '1990-01-01' })
  await own.page.locator('[role=alert]', { hasText: 'Day of manufacture 1 January 1990 is' }).waitFor()
  expect(await own.page.locator('[name=manufactureDate]').inputValue()).toBe('1990-01-01')
})

test('an edit of a file is shown at once, with the examples that fail; another fault is shown beside the rates of before', async () => {
  const before = readFileSync(own.victoria, 'utf8')
  await open('price')
  const duty = own.page.locator('tr', { hasText: 'Motor vehicle duty' }).locator('td.money')
  expect(await duty.textContent()).toBe('$4,825.60')
  writeFileSync(own.victoria, before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  // $90,000 and $2,757.30 of luxury car tax are 464 steps of $200.
  await expect.poll(() => duty.textContent(), { timeout: 20_000 }).toBe('$4,918.40')
  await own.page
    .locator('#faults li', { hasText: /fy27\.yaml:\d+.*STAMP_DUTY/ })
    .first()
    .waitFor()
  writeFileSync(
    own.victoria,
    before.replace('  financialYear: "2026-2027"', '  financialYear: "2026-2027"\n  colour: red'),
  )
  await own.page.locator('#faults li', { hasText: /fy27\.yaml:\d+.*colour/ }).waitFor({ timeout: 20_000 })
  expect(await own.page.locator('#faults [role=status]').textContent()).toBe(
    'The files have a fault. The page shows the rates of before.',
  )
  expect(await duty.textContent()).toBe('$4,918.40')
  // A slip that makes hundreds of faults: the first of them, above the view, and how many there are.
  writeFileSync(own.victoria, before.replace('\nspec:\n', '\nspec: [oops\n'))
  const said = own.page.locator('#faults [role=status]')
  await expect.poll(() => said.textContent(), { timeout: 20_000 }).toMatch(/ \d{3} faults; the first 20 are listed\./)
  expect(await own.page.locator('#faults li').count()).toBe(20)
  const top = async (place: string) => (await own.page.locator(place).boundingBox())!.y
  expect(await top('#faults')).toBeLessThan(await top('#view'))
  expect(await own.page.locator('[role=status] li').count()).toBe(0)
  writeFileSync(own.victoria, before)
  await expect.poll(() => duty.textContent(), { timeout: 20_000 }).toBe('$4,825.60')
  await own.page.locator('#faults').waitFor({ state: 'hidden' })
})

test('the views are reached and used with the keyboard alone', async () => {
  await open('price')
  await own.page.keyboard.press('Tab')
  await own.page.keyboard.press('Tab')
  await own.page.keyboard.press('Tab')
  await own.page.keyboard.press('Enter')
  await own.page.locator('svg .curve').first().waitFor()
  expect(await own.page.locator('nav a[aria-current]').textContent()).toBe('Curve')
})

test('a view link keeps the focus, the title is the view, and a new price is said to a screen reader', async () => {
  await open('price')
  const curve = own.page.locator('nav a', { hasText: 'Curve' })
  await curve.focus()
  await own.page.keyboard.press('Enter')
  await own.page.locator('svg .curve').first().waitFor()
  expect(await curve.evaluate((link) => link.matches(':focus'))).toBe(true)
  expect(await own.page.title()).toBe('Curve – Driveaway rate explorer')
  await own.page.keyboard.press('Shift+Tab')
  await own.page.keyboard.press('Enter')
  await expect.poll(() => own.page.title()).toBe('Price – Driveaway rate explorer')
  await own.page.locator('[name=value]').fill('45000')
  const price = own.page.locator('#view h2', { hasText: 'Drive away for $' })
  const said = own.page.locator('#said[role=status]')
  await expect.poll(async () => (await said.textContent()) === (await price.textContent())).toBe(true)
  expect(await said.textContent()).not.toContain('$98,585.90')
})

test('a removed curve leaves the focus on the list of curves', async () => {
  await open('curve', { with: 'pricingCode:AU_NSW,fuelType:BEV' })
  await own.page.locator('button', { hasText: 'Remove Electric' }).focus()
  await own.page.keyboard.press('Enter')
  await expect.poll(() => own.page.locator('.legend li').count()).toBe(2)
  expect(await own.page.locator('#compare').evaluate((list) => list.matches(':focus'))).toBe(true)
})

test('on a phone a table that goes on says that it scrolls, and its last column is reached', async () => {
  await own.page.setViewportSize({ width: 360, height: 740 })
  await open('price')
  const wide = own.page.locator('.scroll.wide')
  await wide.first().waitFor()
  const hint = `getComputedStyle(document.querySelector('.wide caption'), '::after').content`
  expect(await own.page.evaluate(hint)).toContain('scrolls sideways')
  await wide.first().focus()
  for (let press = 0; press < 20; press++) await own.page.keyboard.press('ArrowRight')
  // The browser scrolls on for a while after the last key.
  const last = async () => (await own.page.locator('.scroll.wide td details').first().boundingBox())!
  await expect.poll(async () => (await last()).x + (await last()).width).toBeLessThanOrEqual(360)
  await own.page.setViewportSize({ width: 1280, height: 740 })
  await wide.first().waitFor({ state: 'detached' })
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
    await own.page.setViewportSize({ width, height: 900 })
    await own.page.emulateMedia({ colorScheme })
    await open(view, chosen)
    // Past the page's own policy, as a person's tool would be: `evaluate` is not bound by it.
    await own.page.evaluate(AXE)
    const found = await own.page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
      ).axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(found).toEqual([])
    // Nothing but tables, which scroll by themselves, is wider than the screen.
    expect(await own.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  },
)

interface Violation {
  id: string
  nodes: { html: string }[]
}

test('the page with its programs is at most 150 KB, compressed', async () => {
  const files = await pageFiles()
  const bytes = [...files.values()].map(({ content }) => gzipSync(content, { level: 9 }).length)
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(150_000)
})

test('another name for this machine gets no rates', async () => {
  const { port } = new URL(own.url)
  const { request } = await import('node:http')
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/rates.json', headers: { host: 'rates.example' } })
    asked.once('response', (response) => (response.resume(), resolve(response.statusCode)))
    asked.once('error', reject)
    asked.end()
  })
  expect(answer).toBe(421)
})
