import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isIndecent, type Classifier } from '../../../../worker/moderation/images/classifier.ts'
import { decodeImage } from '../../../../worker/moderation/images/decode-image.ts'
import { imageLimits } from '../../../../worker/moderation/images/image-limits.ts'
import { startClassifier } from '../../../../worker/moderation/images/start-classifier.ts'
import { temporaryDirectory } from '../../../harness/temporary-directory.ts'
import { photograph } from './sources.ts'

let classifier: Classifier | undefined
afterEach(() => classifier?.close())

const limits = imageLimits({ atOnce: 1, ofOneClient: 1 }).decode
const pixels = async () => decodeImage(await photograph().jpeg().toBuffer(), limits)

test('the model that the package ships gives scores that add up to 1, in a thread that leaves this one free', async () => {
  classifier = await startClassifier()
  let beats = 0
  const beat = setInterval(() => (beats += 1), 5)
  const all = await Promise.all(Array.from({ length: 5 }, async () => classifier!.classify(await pixels())))
  clearInterval(beat)
  for (const scores of all) {
    expect(Object.values(scores).reduce((sum, score) => sum + score)).toBeCloseTo(1, 3)
    expect(isIndecent(scores)).toBe(false)
  }
  expect(beats).toBeGreaterThan(10)
})

test('on both sides of what may not be shown', () => {
  const none = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 }
  expect(isIndecent({ ...none, porn: 0.3, hentai: 0.3 })).toBe(true)
  expect(isIndecent({ ...none, porn: 0.59, sexy: 0.41 })).toBe(false)
  expect(isIndecent({ ...none, sexy: 0.85 })).toBe(true)
  expect(isIndecent({ ...none, sexy: 0.84 })).toBe(false)
  expect(isIndecent({ ...none, neutral: 1 })).toBe(false)
})

/** A thread that answers as the real one does, until it is given the number of pixels that ends it. */
function mortalThread(): URL {
  const file = join(temporaryDirectory('thread').path, 'thread.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    const scores = { drawing: 0, hentai: 0, neutral: 1, porn: 0, sexy: 0 }
    parentPort.on('message', ({ id, pixels }) => {
      if (pixels.length === 1) process.exit(1)
      if (pixels.length === 2) throw new Error('out of memory')
      if (pixels.length === 3) return parentPort.postMessage({ id, failure: 'no memory for a tensor' })
      parentPort.postMessage({ id, scores })
    })
    parentPort.postMessage({ ready: true })`,
  )
  return pathToFileURL(file)
}

test('a thread that dies fails the pictures that it had, and the next picture gets a new one', async () => {
  classifier = await startClassifier(mortalThread())
  for (const deadly of [1, 2]) {
    const both = [classifier.classify(new Uint8Array(deadly)), classifier.classify(new Uint8Array(deadly))]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await classifier.classify(new Uint8Array(9))).toMatchObject({ neutral: 1 })
  }
  await expect(classifier.classify(new Uint8Array(3))).rejects.toThrow('no memory for a tensor')
  expect(await classifier.classify(new Uint8Array(9))).toMatchObject({ neutral: 1 })
})

test('a classifier that cannot be loaded says so at the start', async () => {
  await expect(startClassifier(new URL('file:///no/such/thread.mjs'))).rejects.toThrow('the classifier failed')
})
