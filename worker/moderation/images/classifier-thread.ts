import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import * as tf from '@tensorflow/tfjs'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { load, type NSFWJS } from 'nsfwjs/core'
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2'
import { SIDE, type Pixels } from './picture-size.ts'
import type { Scores } from './classifier.ts'

/** A request to the thread; the pixels are transferred, not copied. */
export interface ClassifierRequest {
  id: number
  pixels: Pixels
}

/** A message of the thread; the first one says that it is ready. */
export type ClassifierReply = { ready: true } | { id: number; scores: Scores } | { id: number; failure: string }

const port = parentPort
if (!port) throw new Error('the classifier runs in a thread of its own')

const answer = (message: ClassifierReply): void => port.postMessage(message)

async function loadModel(): Promise<NSFWJS> {
  // The wasm files are beside the package's main file; without this path they would be looked for in the working
  // directory.
  setWasmPaths(`${dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm'))}/`)
  await tf.setBackend('wasm')
  // The library prints a greeting to the console, which is the worker's log.
  globalThis.console.info = () => undefined
  return load('MobileNetV2', { size: SIDE, modelDefinitions: [MobileNetV2Model] })
}

async function classify(model: NSFWJS, pixels: Pixels): Promise<Scores> {
  const tensor = tf.tensor3d(pixels, [SIDE, SIDE, 3], 'int32')
  try {
    const classes = await model.classify(tensor)
    const score = (name: string) => classes.find(({ className }) => className === name)?.probability ?? NaN
    return {
      drawing: score('Drawing'),
      hentai: score('Hentai'),
      neutral: score('Neutral'),
      porn: score('Porn'),
      sexy: score('Sexy'),
    }
  } finally {
    tensor.dispose()
  }
}

const model = await loadModel()
port.on('message', ({ id, pixels }: ClassifierRequest) => {
  classify(model, pixels).then(
    (scores) => answer({ id, scores }),
    (error: unknown) => answer({ id, failure: String(error) }),
  )
})
answer({ ready: true })
