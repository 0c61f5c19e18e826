import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** A headless Chromium of this machine; throws saying what is missing. CHROMIUM names another program. */
export async function startChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`${CHROMIUM} is not there: install it (apt-get install chromium), or name one in CHROMIUM`)
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--lang=en-AU']
  return chromium.launch({ executablePath: CHROMIUM, args })
}

export interface WatchedPage {
  page: Page
  /** Every address that the page asked for. */
  requested: string[]
  /** Errors of its scripts and of its console. */
  complaints: string[]
}

/** An empty page that notes what it asks for and complains of. */
export async function watchedPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, locale: 'en-AU' })
  const watched: WatchedPage = { page, requested: [], complaints: [] }
  page.on('request', (request) => watched.requested.push(request.url()))
  page.on('pageerror', (error) => watched.complaints.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && watched.complaints.push(message.text())))
  return watched
}
