import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explorerInChromium } from './in-chromium.ts'

// The pictures are kept beside the reports of the run: somebody looks at them, the test only measures.
const FOLDER = join(process.env['REPORTS'] ?? '.cache/reports', 'explorer')
mkdirSync(FOLDER, { recursive: true })
const FAULTS_OF_LAYOUT = readFileSync(join(import.meta.dirname, 'faults-of-layout.js'), 'utf8')
const { own, open } = explorerInChromium()

const LOOKS = [
  { look: 'desktop', width: 1280, height: 900, colorScheme: 'light' },
  { look: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { look: 'phone', width: 360, height: 740, colorScheme: 'light' },
  { look: '4k', width: 3840, height: 2160, colorScheme: 'light' },
] as const
const SHOWN: { name: string; view: string; chosen: Record<string, string> }[] = [
  { name: 'price', view: 'price', chosen: {} },
  { name: 'incomplete', view: 'price', chosen: { pricingCode: 'AU_NSW', postcode: '2000' } },
  { name: 'refused', view: 'price', chosen: { manufactureDate: '1990-01-01' } },
  { name: 'curve', view: 'curve', chosen: {} },
  { name: 'curves', view: 'curve', chosen: { over: 'startDate', with: 'pricingCode:AU_NSW,fuelType:BEV' } },
  { name: 'calendar', view: 'calendar', chosen: { pricingCode: 'AU_ACT', postcode: '2600', tareKg: '1600' } },
  { name: 'map', view: 'map', chosen: {} },
  { name: 'difference', view: 'difference', chosen: {} },
]
const pictures = SHOWN.flatMap((shown) => LOOKS.map((look) => ({ ...shown, ...look })))

test.each(pictures)('$name, $look: nothing is clipped, and no label covers another', async (shown) => {
  const { name, view, chosen, look, width, height, colorScheme } = shown
  await own.page.setViewportSize({ width, height })
  await own.page.emulateMedia({ colorScheme })
  await open(view, chosen)
  await own.page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true })
  expect(await own.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(await own.page.evaluate(FAULTS_OF_LAYOUT)).toEqual([])
})
