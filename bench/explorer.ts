import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../test/harness/chromium.ts'
import { addressOf, explorerStarts, startExplorer, STARTS } from './explorer-starts.ts'
import { ofLimit } from './of-limit.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const OPENINGS = 7
const CURVES = 25
const FRAMES = 120
const VEHICLE =
  'pricingCode=AU_VIC&startDate=2026-11-01&termMonths=12&postcode=3000&value=90000&bodyType=suv&fuelType=ICE&condition=new&co2GPerKm=150'

/** The speed of the rate explorer in a real Chromium, from a server on the same machine. */
export async function explorerSpeed(): Promise<Section> {
  const starts = await explorerStarts()
  const browser = await startChromium()
  const explorer = startExplorer()
  try {
    const url = await addressOf(explorer)
    const figures = [
      ...starts,
      ofLimit('the first view, from the navigation to the drawn price', await openings(browser, url), 1000),
      ofLimit('a curve of 2,000 points, priced and drawn', await curves(await pageAt(browser, url)), 50),
      ...dragged(await drag(await pageAt(browser, url))),
    ]
    return { title: 'The rate explorer', how: HOW, figures }
  } finally {
    await browser.close()
    explorer.kill()
  }
}

const HOW =
  'A headless Chromium, and `driveaway explore` on the same machine. A start: the median of ' +
  `${STARTS}; a first one has no files that an earlier start has parsed, a later one has all; the cluster is a kube-apiserver on the same machine. The first view: the median of ` +
  `${OPENINGS} openings, each with an empty cache. A curve: the median of ${CURVES}, each of another vehicle, so that none is kept. A dragged price: the slider moves ` +
  `with each of ${FRAMES} frames while the curve is shown, compared with the frames of the same page at rest. While it moves, the page draws only the ` +
  'mark, its amount, the form and the links; the rest is drawn once the slider rests.'

/** A page with the curve of a vehicle, in a profile of its own. */
async function pageAt(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage()
  await page.goto(`${url}#view=curve&${VEHICLE}`)
  await page.locator('svg .curve').first().waitFor()
  return page
}

/** Milliseconds from the start of a navigation to the end of the first drawing. */
async function openings(browser: Browser, url: string): Promise<number[]> {
  const times: number[] = []
  for (let opening = 0; opening < OPENINGS; opening++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
    const page = await context.newPage()
    await page.goto(`${url}#view=price&${VEHICLE}`)
    await page.locator('#view h2').first().waitFor()
    times.push(await page.evaluate<number>('performance.getEntriesByName("first view")[0].startTime'))
    await context.close()
  }
  return times
}

/** Milliseconds of each drawing of the page while another vehicle is chosen again and again. */
const curves = (page: Page) =>
  page.evaluate<number[]>(`(async () => {
    const field = document.querySelector('[name=co2GPerKm]')
    const times = []
    for (let round = 0; round < ${CURVES}; round++) {
      performance.clearMeasures('draw')
      field.value = String(151 + round)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      while (performance.getEntriesByName('draw').length === 0) await new Promise((next) => setTimeout(next, 20))
      times.push(performance.getEntriesByName('draw')[0].duration)
      await new Promise((next) => setTimeout(next, 200))
    }
    return times
  })()`)

interface Drag {
  drawings: number
  /** Frames in a second at rest, and while the price is dragged. */
  atRest: number
  dragged: number
  /** Milliseconds of each drawing. */
  times: number[]
}

const drag = (page: Page) =>
  page.evaluate<Drag>(`(async () => {
    const slider = document.querySelector('#slider')
    const nextFrame = () => new Promise((next) => requestAnimationFrame(next))
    const framesPerSecond = async (move) => {
      await nextFrame()
      const start = performance.now()
      for (let frame = 0; frame < ${FRAMES}; frame++) {
        move(frame)
        await nextFrame()
      }
      return (${FRAMES} * 1000) / (performance.now() - start)
    }
    const times = []
    new PerformanceObserver((list) => times.push(...list.getEntriesByName('draw').map(({ duration }) => duration)))
      .observe({ entryTypes: ['measure'] })
    slider.focus()
    const atRest = await framesPerSecond(() => undefined)
    const dragged = await framesPerSecond((frame) => {
      slider.value = String(60_000 + frame * 500)
      slider.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await new Promise((next) => setTimeout(next, 500))
    return { drawings: times.length, atRest, dragged, times }
  })()`)

function dragged({ drawings, atRest, dragged: perSecond, times }: Drag): Figure[] {
  const ms = percentile(times, 95)
  return [
    {
      what: 'drawings while the price is dragged',
      measured: `${drawings} in ${FRAMES} frames; ${ms.toFixed(1)} ms each at the 95th percentile`,
      comparedWith: 'frames',
      ratio: ratioOf(drawings, FRAMES),
      target: '0.99 or more',
      met: drawings / FRAMES >= 0.99,
    },
    {
      what: 'frames in a second while the price is dragged',
      measured: `${perSecond.toFixed(0)}; at rest ${atRest.toFixed(0)}`,
      comparedWith: 'the same page at rest',
      ratio: ratioOf(perSecond, atRest),
      target: '0.9 or more',
      met: perSecond / atRest >= 0.9,
    },
  ]
}
