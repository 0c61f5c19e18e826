import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startChromium } from '../../test/harness/chromium.ts'
import { temporaryDirectory } from '../../test/harness/temporary-directory.ts'
import { root } from '../stack/settings.ts'
import { VIEWS, type View } from './views.ts'

const SIZE = { width: 1100, height: 760 }
/** The page has few colours, so that a palette halves a file and nobody sees it. */
const COLOURS = 64

/** A picture that was written. */
export interface Picture {
  file: string
  bytes: number
}

/** Writes a picture of each view of the explorer into `folder`. Throws Error when a view is not drawn. */
export async function takePictures(folder: string): Promise<Picture[]> {
  const copy = temporaryDirectory('pictures')
  const explorer = explore(copy.path)
  const browser = await startChromium()
  try {
    const [line] = (await once(explorer.stdout!, 'data')) as [Buffer]
    const [url = ''] = /^http:\S+/.exec(line.toString()) ?? []
    const page = await browser.newPage({ viewport: SIZE, locale: 'en-AU', colorScheme: 'light' })
    const pictures: Picture[] = []
    for (const view of VIEWS) {
      const file = join(folder, `explorer-${view.name}.png`)
      pictures.push({ file, bytes: await takePicture(page, url, view, file) })
    }
    return pictures
  } finally {
    await browser.close()
    const ended = once(explorer, 'close')
    explorer.kill()
    // It reads the folder until it has ended.
    await ended
    copy.remove()
  }
}

/** The explorer of the rate sets beside a copy with another duty; run in `folder`, so that no path of it is in a picture. */
function explore(folder: string): ChildProcess {
  for (const sets of ['rates/sets', 'earlier'])
    cpSync(join(root, 'rates/sets'), join(folder, sets), { recursive: true })
  const victoria = join(folder, 'earlier/au-vic/fy27.yaml')
  writeFileSync(victoria, readFileSync(victoria, 'utf8').replaceAll('rate: "10.40"', 'rate: "10.20"'))
  const args = [join(root, 'cli/main.ts'), 'explore', 'rates/sets', '--against', 'earlier', '--port', '0']
  return spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function takePicture(page: Page, url: string, { chosen, unfold }: View, file: string): Promise<number> {
  await page.goto(`${url}#${new URLSearchParams(chosen)}`)
  await page.locator('#view h2').first().waitFor()
  if (unfold) await page.locator('tr', { hasText: unfold }).locator('summary').first().click()
  await page.mouse.move(0, 0)
  const taken = await page.screenshot()
  const { size } = await sharp(taken).png({ palette: true, colours: COLOURS, effort: 10 }).toFile(file)
  return size
}
