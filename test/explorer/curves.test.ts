import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { quote } from '#rates/engine/quote/quote.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'
import { addCurve, explorerInChromium, rowsOf } from './in-chromium.ts'

const { own, open } = explorerInChromium()

test('the Victorian cliffs are on the curve to the cent, with what crossing each costs', async () => {
  await open('curve')
  await own.page.locator('summary', { hasText: 'Stamp duty $810.00' }).click()
  // 405 steps of $200 at $10.40 in place of $8.40 (Duties Act 2000 (Vic) s 218), and the cent itself.
  const [[below, costs, jumps, amount] = []] = await rowsOf(own.page, 'Cliffs')
  expect([below, costs, amount]).toEqual(['$80,809.00', '$810.01', '$85,214.00'])
  expect(jumps).toMatch(/^Stamp duty \$810\.00/)
  // What the law says on both sides, and where it says so.
  expect(jumps).toContain('At $80,809.00: $3,402.00Dutiable value $80,809.00$8.40 for each $200.00 or part')
  expect(jumps).toContain('At $80,809.01: $4,212.00Dutiable value $80,809.01$10.40 for each $200.00 or part')
  expect(jumps).toContain('Duties Act 2000 (Vic), s 218')
  // The curve ends at each of the three cliffs and begins anew.
  expect(await own.page.locator('svg .curve').count()).toBe(4)
  expect(await own.page.locator('svg .unreached').count()).toBe(3)
})

test('the one cliff of Queensland is on the curve to the cent, and the chart is saved as SVG and as CSV', async () => {
  await open('curve', { pricingCode: 'AU_QLD', postcode: '4000', cylinders: '4' })
  const rows = await rowsOf(own.page, 'Cliffs')
  // $3 and, above a dutiable value of $100,000, $5 for each $100 or part; luxury car tax is in the dutiable value.
  expect(rows.map(([below, costs]) => [below, costs])).toEqual([['$95,571.31', '$2,005.02']])
  const save = async (label: string) => {
    const [download] = await Promise.all([own.page.waitForEvent('download'), own.page.getByText(label).click()])
    return readFileSync(await download.path(), 'utf8')
  }
  const csv = (await save('Save as CSV')).split('\n')
  expect(csv[0]).toBe('price_cents,amount_cents')
  const [below, above] = [9557131, 9557132].map((price) => csv.find((line) => line.startsWith(`${price},`))!)
  expect(Number(above!.split(',')[1]) - Number(below!.split(',')[1])).toBe(200502)
  const svg = await save('Save as SVG')
  expect(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg">/.test(svg)).toBe(true)
  expect(svg).toContain('<title>Drive-away price by price before on-road costs. ')
  // The styles of the page go with it.
  expect(/class="curve curve-0"[^>]*stroke="rgb\(/.test(svg)).toBe(true)
})

test('a dragged price moves the mark and its amount with each frame, and the rest of the view once it rests', async () => {
  await open('curve')
  const curve = await own.page.locator('svg .curve').first().elementHandle()
  const isInPage = () => curve!.evaluate((path) => path.isConnected)
  const mark = own.page.locator('svg .chosen')
  const before = Number(await mark.getAttribute('cx'))
  await own.page.clock.install({ time: 0 })
  await own.page.clock.pauseAt(60_000)
  await own.page.locator('#slider').fill('120100')
  await own.page.clock.runFor(20)
  expect(Number(await mark.getAttribute('cx'))).toBeGreaterThan(before)
  const marked = own.page.locator('#view p').first()
  const { totals } = quote(
    {
      ...{ pricingCode: 'AU_VIC', showroomCode: 'ANY', purchaseDate: '2026-11-01' },
      vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', co2GPerKm: 150 },
      pricingInputs: { dutiable: [{ description: 'Vehicle', value: 120_100_00, kind: 'vehicle' }] },
      registration: { startDate: '2026-11-01', termMonths: 12, postcode: '3000' },
    },
    snapshotOf(sets),
  )
  const dollars = (totals.driveAway / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' })
  expect(await marked.textContent()).toBe(`At $120,100.00: ${dollars}.`)
  expect(await own.page.locator('nav a', { hasText: 'Price' }).getAttribute('href')).toContain('value=120100')
  expect(await isInPage()).toBe(true)
  await own.page.clock.runFor(500)
  expect(await isInPage()).toBe(false)
  expect(await marked.textContent()).toBe(`At $120,100.00: ${dollars}.`)
})

test('the calendar and the map are saved as CSV', async () => {
  const save = async () => {
    const [download] = await Promise.all([own.page.waitForEvent('download'), own.page.getByText('Save as CSV').click()])
    return { name: download.suggestedFilename(), lines: readFileSync(await download.path(), 'utf8').split('\n') }
  }
  await open('calendar', { pricingCode: 'AU_ACT', postcode: '2600', tareKg: '1600' })
  const calendar = await save()
  expect([calendar.name, calendar.lines[0]]).toEqual(['calendar.csv', 'from,charge,before_cents,after_cents'])
  expect(calendar.lines).toContain('2027-02-01,STAMP_DUTY,420100,444300')
  await open('map')
  const map = await save()
  expect([map.name, map.lines[0]]).toEqual(['map.csv', 'financial_year,pricing_code,charge,rule,grade,unpriced,page'])
  const duty = map.lines.find((line) => line.startsWith('2026-2027,AU_VIC,STAMP_DUTY,'))
  expect(duty).toMatch(/^2026-2027,AU_VIC,STAMP_DUTY,AU_VIC_STAMP_DUTY_FY27,secondary,(none|some),"?https?:/)
})

test('nothing moves, whether or not somebody asks for less motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await own.page.emulateMedia({ reducedMotion })
    await open('curve')
    await own.page.locator('#slider').fill('120000')
    expect(await own.page.evaluate('document.getAnimations().length')).toBe(0)
  }
})

test('the curve of the motor tax over the tare has each row of the table as a step, to the kilogram', async () => {
  await open('curve', { pricingCode: 'AU_NSW', postcode: '2000', over: 'tareKg', component: 'MOTOR_TAX' })
  // Private use, 2026-27 (motor vehicle tax, NSW): to 975 kg $285, to 1,154 kg $330, to 1,504 kg $401, to 2,504 kg $611.
  const rows = await rowsOf(own.page, 'Cliffs')
  expect(rows.slice(0, 3).map(([below, , , amount]) => [below, amount])).toEqual([
    ['975 kg', '$285.00'],
    ['1,154 kg', '$330.00'],
    ['1,504 kg', '$401.00'],
  ])
  expect(rows[0]?.[1]).toBe('$45.00')
  expect(rows[0]?.[2]).toMatch(/^Motor tax \$45\.00/)
  expect(await own.page.locator('svg .curve').count()).toBe(rows.length + 1)
})

test('each whole value of a fact is drawn, and is the quote of the engine', async () => {
  await open('curve', { pricingCode: 'AU_ACT', postcode: '', tareKg: '1600', over: 'co2GPerKm' })
  const table = own.page.locator('details', { hasText: 'The values as a table' })
  await table.locator('summary').click()
  const shown = new Map(
    (await rowsOf(own.page, 'Drive-away price by CO2')).map(([value = '', amount = '']) => [
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
  const add = own.page.locator('#compare')
  for (const choice of ['pricingCode:AU_NSW', 'fuelType:BEV', 'startDate:2025-07-01']) await addCurve(own.page, choice)
  expect(await own.page.locator('.legend li').allTextContents()).toEqual([
    'Victoria, Petrol or diesel, 1 November 2026',
    ...['New South Wales', 'Electric', '1 July 2025'],
  ])
  expect(await add.count()).toBe(0)
  for (const n of [0, 1, 2, 3]) expect(await own.page.locator(`svg .curve-${n}`).count()).toBeGreaterThan(0)
  const link = own.page.url()
  await own.page.locator('button', { hasText: 'Remove Electric' }).click()
  await expect.poll(() => own.page.locator('.legend li').count()).toBe(3)
  await own.page.goto(link)
  await expect.poll(() => own.page.locator('.legend li').count()).toBe(4)
})

test('the rates that are compared with are an added curve, by its own rates', async () => {
  const before = readFileSync(own.victoria, 'utf8')
  writeFileSync(own.victoria, before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  try {
    await open('price')
    const duty = own.page.locator('tr', { hasText: 'Motor vehicle duty' }).locator('td.money')
    await expect.poll(() => duty.textContent(), { timeout: 20_000 }).toBe('$4,918.40')
    await own.page.locator('nav a', { hasText: 'Curve' }).click()
    await addCurve(own.page, 'rates:other')
    await expect
      .poll(() => own.page.locator('.legend li').allTextContents())
      .toEqual([`Victoria, ${own.folder}`, 'rates/sets'])
    await own.page.locator('summary', { hasText: 'The values as a table' }).click()
    const rows = await rowsOf(own.page, 'Drive-away price by')
    const cents = (text = '') => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100)
    const [, shown, other] = rows.find(([price]) => price === '$90,000.00')!
    expect(cents(shown) - cents(other)).toBe(92_80)
    // A link leads to a price by the rates of the page: no row of the other curve has one.
    const links = (caption: string) =>
      own.page
        .locator('table', { has: own.page.locator('caption', { hasText: caption }) })
        .locator('tbody th a')
        .count()
    expect([await links('rates/sets. Cliffs'), await links(`${own.folder}. Cliffs`)]).toEqual([0, 3])
    expect(await links('Drive-away price by')).toBe(rows.length)
    await own.page.locator('button', { hasText: 'Remove rates/sets' }).click()
    await expect.poll(() => own.page.locator('.legend li').count()).toBe(0)
    // Of a change that the other rates do not have, the calendar says so; of the others, that they have it.
    await own.page.locator('nav a', { hasText: 'Calendar' }).click()
    await own.page.locator('h2', { hasText: 'What changes' }).waitFor()
    const changes = await rowsOf(own.page, 'Changes of the charges')
    const published = (day: string, charge: string) =>
      changes.find(([from, what]) => from === day && what === charge)?.at(5)
    expect(published('1 July 2026', 'Stamp duty')).toBe('not published')
    expect(published('1 July 2026', 'Registration')).toBe('yes')
  } finally {
    writeFileSync(own.victoria, before)
  }
})

test('a curve that has no price says why beside those that have one', async () => {
  await open('curve', { startDate: '2026-07-01', with: 'startDate:2035-07-01' })
  expect(await own.page.locator('.refused').textContent()).toMatch(/^1 July 2035: /)
  expect(await own.page.locator('svg .curve').count()).toBeGreaterThan(0)
})

test('a link with choices that do not exist, or stand there twice, draws the others once', async () => {
  const twice = 'pricingCode:AU_NSW,pricingCode:AU_NSW'
  await open('curve', { with: `startDate:2026-02-30,colour:red,fuelType:STEAM,pricingCode:AU_XX,${twice}` })
  expect(await own.page.locator('.legend li').allTextContents()).toEqual(['Victoria', 'New South Wales'])
  expect(await own.page.locator('.refused').count()).toBe(0)
  expect(await own.page.getByText('Remove New South Wales').count()).toBe(1)
  // What is left out, and of which curve.
  expect(await own.page.locator('.incomplete').allTextContents()).toEqual([
    'New South Wales. Left out everywhere, because it has no price in the sources: motor tax.',
  ])
})

test('the difference of two sides is shown in cents, on the curve and in words, and follows an edit', async () => {
  const before = readFileSync(own.victoria, 'utf8')
  await open('difference')
  await own.page.locator('p', { hasText: 'On no day does a charge of this vehicle differ.' }).waitFor()
  // Duty above the threshold from $10.40 to $10.60 of each $200: 464 steps of $90,000 with its luxury car tax.
  writeFileSync(own.victoria, before.replaceAll('rate: "10.40"', 'rate: "10.60"'))
  await expect
    .poll(async () => (await rowsOf(own.page, 'Charges of this vehicle that differ')).map((row) => row.slice(0, 6)), {
      timeout: 20_000,
    })
    .toEqual([['1 July 2026', '30 June 2027', 'Stamp duty', '$4,825.60', '$4,918.40', '$92.80']])
  // The law of both sides, and the file.
  await own.page.locator('td summary', { hasText: 'Rule and sources' }).first().click()
  const law = (await rowsOf(own.page, 'Charges of this vehicle that differ'))[0]?.[6]
  expect(law).toMatch(/rates\/sets: \$4,825\.60.*\$10\.40 for each .*: \$4,918\.40.*\$10\.60 for each .*Grade: /)
  expect(law).toContain('Duties Act 2000 (Vic), s 218')
  const [download] = await Promise.all([
    own.page.waitForEvent('download'),
    own.page.getByText('Save as CSV').first().click(),
  ])
  expect(readFileSync(await download.path(), 'utf8').split('\n')).toEqual([
    'from,to,charge,old_cents,new_cents',
    '2026-07-01,2027-06-30,STAMP_DUTY,482560,491840',
  ])
  expect(await own.page.locator('.legend li').allTextContents()).toEqual(['rates/sets', own.folder])
  await own.page
    .locator('p', { hasText: `At $90,000.00: $98,585.90 (rates/sets); $98,678.70 (${own.folder}).` })
    .waitFor()
  const linked = own.page.locator('table', { has: own.page.locator('caption', { hasText: 'rates/sets. ' }) })
  expect(await linked.locator('tbody th a').count()).toBe(0)
  const statements = await rowsOf(own.page, 'In words: Victoria')
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.every(([from, charge]) => from === '1 July 2026' && charge === 'Victoria: Stamp duty')).toBe(true)
  expect(statements.map(([, , , was, is]) => [was, is]).join(' ')).toContain('10.40')
  // Each leads to the pages that the rule rests on.
  const source = own.page.locator('table', { has: own.page.locator('caption', { hasText: 'In words: Victoria' }) })
  expect(
    await source.locator('td a', { hasText: 'Duties Act 2000 (Vic), s 218' }).first().getAttribute('href'),
  ).toMatch(/^https?:\/\//)
  writeFileSync(own.victoria, before)
  await own.page
    .locator('p', { hasText: 'On no day does a charge of this vehicle differ.' })
    .waitFor({ timeout: 20_000 })
})
