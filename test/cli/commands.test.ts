import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function driveaway(args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...args], { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const request = {
  pricingCode: 'AU_VIC',
  showroomCode: 'MEL01',
  purchaseDate: '2026-09-01',
  vehicleGeneric: { bodyType: 'sedan', fuelType: 'ICE', condition: 'new', co2GPerKm: 150 },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 80_567_00 }] },
  registration: { startDate: '2026-09-01', postcode: '3004' },
}

test('check says how much it looked at when there are no faults', () => {
  const { status, stdout } = driveaway(['check', 'rates/sets'])
  expect(stdout).toMatch(/^\d+ rate sets, \d+ examples, no faults\n$/)
  expect(status).toBe(0)
})

test('check prints file, line, column, path and message of a fault, and fails', () => {
  const text = readFileSync('rates/sets/au-vic/fy27.yaml', 'utf8').replace('upTo: "150000"', 'upTo: "90000"')
  const file = written('fy27.yaml', text)
  const line = text.split('\n').findIndex((one) => one.includes('upTo: "90000"')) + 1
  const { status, stdout } = driveaway(['check', 'rates/sets/au', file])
  expect(stdout).toMatch(
    new RegExp(
      `^${file}:${line}:\\d+: spec\\.rules\\[0\\]\\.cases\\[3\\]\\.charge\\.bands\\[1\\]\\.upTo: band edge 90000 is not above 100000 \\(bands-rise\\)\\n$`,
    ),
  )
  expect(status).toBe(1)
})

test('check refuses an example that fails, with the figure it got', () => {
  const text = readFileSync('rates/sets/au/fy27.yaml', 'utf8').replace(
    'LUXURY_CAR_TAX: "3255.60"',
    'LUXURY_CAR_TAX: "3255.61"',
  )
  const { status, stdout } = driveaway(['check', written('au.yaml', text)])
  expect(stdout).toContain('LUXURY_CAR_TAX is 3255.60, expected 3255.61 (examples-pass)')
  expect(status).toBe(1)
})

test('a wrong call says how the commands are called', () => {
  expect(driveaway([])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('driveaway check <files') as string,
  })
  expect(driveaway(['check'])).toMatchObject({ status: 2 })
  expect(driveaway(['toString'])).toMatchObject({ status: 2 })
  expect(driveaway(['check', 'no-such-folder'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no-such-folder') as string,
  })
})

// 403 units of $200 at $8.40 (Duties Act 2000 (Vic) s 218): 80,567 / 200 is 402.8, part units count.
test('quote prints each line with its rule and the drive-away price', () => {
  const { status, stdout } = driveaway(['quote', written('request.json', JSON.stringify(request))])
  expect(stdout).toMatch(/^Vehicle +80,567\.00 {2}AU_DUTIABLE_LINE_FY27/)
  expect(stdout).toMatch(/\n.* 3,385\.20 {2}AU_VIC_STAMP_DUTY_FY27/)
  expect(stdout).toMatch(/\nDrive-away +[\d,]+\.\d\d {2}of which GST/)
  expect(status).toBe(0)
})

test('quote reads the standard input and answers as the API does', () => {
  const { stdout } = driveaway(['quote', '-', '--json'], JSON.stringify(request))
  const answer = JSON.parse(stdout) as { totals: { dutiable: number }; metadata: { release: string } }
  expect(answer.totals.dutiable).toBe(80_567_00)
  expect(answer.metadata.release).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test('quote names the code and the field of a request that cannot be priced', () => {
  const { status, stderr } = driveaway(['quote', '-'], JSON.stringify({ ...request, pricingCode: 'AU_ZZ' }))
  expect(stderr).toMatch(/^INVALID_PRICING_CODE \/pricingCode: /)
  expect(status).toBe(1)
})

test('quote names what a request lacks', () => {
  const { status, stderr } = driveaway(['quote', '-'], JSON.stringify({ pricingCode: 'AU_VIC' }))
  expect(stderr).toBe('-: a request needs purchaseDate, pricingInputs.dutiable, registration.startDate\n')
  expect(status).toBe(2)
})
