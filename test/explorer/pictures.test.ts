import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { takePictures } from '../../tools/pictures/take-pictures.ts'
import { VIEWS } from '../../tools/pictures/views.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

/** A page loads five of them. */
const MOST_BYTES = 100_000
const PNG = Buffer.from('\x89PNG\r\n', 'latin1')

/** The pictures that a page shows, as paths of the repository. */
const picturesOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => join(dirname(page), path))

test('the command takes a picture of each view', async () => {
  const folder = temporaryDirectory('pictures')
  try {
    const taken = await takePictures(folder.path)
    expect(taken.map(({ file }) => file)).toEqual(VIEWS.map(({ name }) => join(folder.path, `explorer-${name}.png`)))
    for (const { file, bytes } of taken) {
      expect(readFileSync(file).subarray(0, PNG.length)).toEqual(PNG)
      expect([file, bytes < MOST_BYTES]).toEqual([file, true])
    }
  } finally {
    folder.remove()
  }
}, 300_000)

test('docs/explorer.md shows each of the pictures, and README.md one', () => {
  const all = VIEWS.map(({ name }) => `docs/pictures/explorer-${name}.png`)
  expect(picturesOf('docs/explorer.md')).toEqual(all)
  expect(picturesOf('README.md')).toEqual(['docs/pictures/explorer-curve.png'])
  expect(all.filter((path) => !existsSync(path) || statSync(path).size >= MOST_BYTES)).toEqual([])
})
