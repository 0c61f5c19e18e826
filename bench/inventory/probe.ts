import { get, Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// Runs in a thread of the benchmark: requests an address again and again and reports the duration of each answer.

const agent = new Agent({ keepAlive: true })
const EVERY_MS = 10

async function ask(url: string): Promise<number> {
  const start = performance.now()
  await new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject)
  })
  return performance.now() - start
}

let isOver = false
parentPort?.once('message', () => (isOver = true))
const times: number[] = []
while (!isOver) {
  times.push(await ask(workerData as string))
  await sleep(EVERY_MS)
}
agent.destroy()
parentPort?.postMessage(times)
