import { parentPort } from 'node:worker_threads'

// In place of the thread that checks uploads: it holds its processor till the test lets it go, one step for each batch.

const BEGUN = 0
const LET_GO = 1

parentPort?.on('message', ({ bytes, parts }: { bytes: Uint8Array<ArrayBuffer>; parts: { header: { gate: Int32Array } } }) => {
  const { gate } = parts.header
  const mine = Atomics.add(gate, BEGUN, 1)
  while (Atomics.load(gate, LET_GO) <= mine) Atomics.wait(gate, LET_GO, Atomics.load(gate, LET_GO), 50)
  parentPort?.postMessage({ bytes, checked: { items: mine + 1, moderateImages: true } })
})
parentPort?.postMessage({ isReady: true })
