import { createRatesLoader } from '../../api/load/load-rates.ts'
import { startPricingServer } from '../../test/api/pricing-server.ts'
import { percentile } from '../rounds.ts'
import { publishFolder } from './publish-folder.ts'

// Two publications of the committed rate sets without any common digest, loaded in turn.
const publications = [publishFolder('rates/sets', 'one'), publishFolder('rates/sets', 'other')] as const
const texts = new Map(publications.flatMap(({ shards }) => [...shards]))
const load = createRatesLoader(() => Promise.resolve(texts))
const server = await startPricingServer()
let turn = 0

/** Loads the other publication; returns the milliseconds from the index to the swap. */
async function reload(): Promise<number> {
  const start = performance.now()
  const { index } = publications[turn++ % 2 === 0 ? 0 : 1]
  server.holder.swap({ rates: await load(index, server.holder.read().rates?.snapshot) })
  return performance.now() - start
}

/** Milliseconds of processor time per reload: the median of several without other work. */
async function processorTime(): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 7; run++) {
    const before = process.cpuUsage()
    await reload()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return percentile(times, 50)
}

const cpuMs = await processorTime()
process.on('message', () => void reload().then((ms) => process.send?.({ ms })))
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url, token: await server.token(), sets: publications[0].sets, cpuMs })
