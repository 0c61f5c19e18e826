import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { driveaway, driveawayProcess } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-quote-'))
afterAll(() => rmSync(folder, { recursive: true }))

const request = {
  pricingCode: 'AU_VIC',
  showroomCode: 'MEL01',
  purchaseDate: '2026-09-01',
  vehicleGeneric: { bodyType: 'sedan', fuelType: 'ICE', condition: 'new', co2GPerKm: 150 },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 80_567_00 }] },
  registration: { startDate: '2026-09-01', postcode: '3004' },
}
const file = join(folder, 'request.json')

function asked(body: object, ...args: string[]) {
  writeFileSync(file, JSON.stringify(body))
  return driveaway(['quote', '-f', file, ...args])
}

// 403 units of $200 at $8.40 (Duties Act 2000 (Vic) s 218): 80,567 / 200 is 402.8, part units count.
test('quote prints a sheet: what is priced, each line with its rule, and the drive-away price', async () => {
  const { status, stdout } = await asked(request)
  expect(stdout).toMatch(/^AU VIC {2}2026-09-01 {2}financial year 2026-2027\nnew ICE sedan: registered for 12 months, /)
  expect(stdout).toMatch(/\nVehicle +80,567\.00 {2}AU_DUTIABLE_LINE_FY27/)
  expect(stdout).toMatch(/\n.* 3,385\.20 {2}AU_VIC_STAMP_DUTY_FY27/)
  expect(stdout).toMatch(/\nDrive-away +[\d,]+\.\d\d {2}of which GST/)
  expect(stdout).not.toContain('DUTIABLE_VALUE')
  expect(status).toBe(0)
})

test('quote --explain says under each line what it was computed on and where the rate stands', async () => {
  const { stdout } = await asked(request, '--explain')
  expect(stdout).toMatch(/STAMP_DUTY_FY27.*\n +on DUTIABLE_VALUE 80,567\.00 · rules\[0\]\.cases\[0\]/)
  expect(stdout).toContain(' on $80,567.00 · $8.40 for each $200.00 or part = $3,385.20\n')
  expect(stdout).toContain('(State Revenue Office Victoria)')
})

test('quote --date prices the request as on another day', async () => {
  const { metadata } = JSON.parse((await asked(request, '--date', '2026-06-30', '--output', 'json')).stdout) as {
    metadata: { financialYear: string }
  }
  expect(metadata.financialYear).toBe('2025-2026')
})

test('quote answers as the API does', async () => {
  const answer = JSON.parse((await asked(request, '--output', 'json')).stdout) as {
    totals: { dutiable: number }
    metadata: { release: string }
  }
  expect(answer.totals.dutiable).toBe(80_567_00)
  expect(answer.metadata.release).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test('quote names the code and the field of a request that cannot be priced, in words and as data', async () => {
  const { status, stdout, stderr } = await asked({ ...request, pricingCode: 'AU_ZZ' }, '--output', 'json')
  expect(stderr).toMatch(/^INVALID_PRICING_CODE \/pricingCode: /)
  expect(JSON.parse(stdout)).toMatchObject({ code: 'INVALID_PRICING_CODE', path: '/pricingCode' })
  expect(status).toBe(1)
})

test('quote names what a request lacks, and a text that is not JSON', async () => {
  const { status, stderr } = await asked({ pricingCode: 'AU_VIC' })
  expect(stderr).toBe(`${file}: a request needs purchaseDate, pricingInputs.dutiable, registration.startDate\n`)
  expect(status).toBe(2)
  writeFileSync(file, '{')
  expect(await driveaway(['quote', '-f', file])).toMatchObject({ status: 2 })
})

test('quote reads the standard input', () => {
  const { status, stdout } = driveawayProcess(['quote', '-f', '-'], { input: JSON.stringify(request) })
  expect(stdout).toContain('AU_VIC_STAMP_DUTY_FY27')
  expect(status).toBe(0)
})

test('the sheet of a quote that lacks a component says so beside the drive-away price', async () => {
  const sydney = { ...request, pricingCode: 'AU_NSW', registration: { startDate: '2026-09-01' } }
  const lacking = (await asked(sydney)).stdout
  expect(lacking).toMatch(/\nDrive-away .*\nIncomplete: without .*MOTOR_TAX \(missing fact\)/)
  const whole = { ...sydney, vehicleGeneric: { ...sydney.vehicleGeneric, tareKg: 1600 } }
  expect((await asked(whole)).stdout).not.toContain('Incomplete')
})

test('the sheet of a quote with an estimate that is no upper bound says so beside the drive-away price', async () => {
  const west = { ...request, pricingCode: 'AU_WA', registration: { startDate: '2026-09-01' } }
  expect((await asked(west)).stdout).toMatch(/\nMay be higher: .*PLATES \(estimated, no upper bound known\)/)
  expect((await asked(request)).stdout).not.toContain('May be higher')
})
