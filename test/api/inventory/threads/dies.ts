import { parentPort } from 'node:worker_threads'

// In place of the thread that checks uploads: it ends when a batch begins with a word that says so, and hangs at another.

parentPort?.on('message', ({ bytes }: { bytes: Uint8Array<ArrayBuffer> }) => {
  const text = Buffer.from(bytes).toString()
  if (text.startsWith('end')) process.exit(1)
  while (text.startsWith('hang')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  parentPort?.postMessage({ bytes, checked: { items: 1, moderateImages: true } })
})
parentPort?.postMessage({ isReady: true })
