import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { applyToServed } from './apply-to-served.ts'
import { evaluatorAndReceipt } from './evaluator.ts'
import { moderatedImages } from './images.ts'
import { explorerSpeed } from './explorer.ts'
import { hostileUploads } from './hostile-uploads.ts'
import { inProcess } from './in-process.ts'
import { inventoryBatches } from './inventory.ts'
import { justReady } from './just-ready.ts'
import { leftOut } from './left-out.ts'
import { operatorScale } from './operator-scale.ts'
import { manyClients } from './many-clients.ts'
import { oldReleases } from './old-releases.ts'
import { overHttp } from './over-http.ts'
import { reloadUnderLoad } from './reload.ts'
import { poisoned } from './poisoned.ts'
import { benchmarkPage, terminalTable, type Section } from './report.ts'
import { suspension } from './suspension.ts'
import { targetSolve } from './target-solve.ts'

const BENCHES: Record<string, () => Promise<Section>> = {
  'in-process': inProcess,
  'left-out': leftOut,
  target: targetSolve,
  evaluator: evaluatorAndReceipt,
  http: overHttp,
  'just-ready': justReady,
  reload: reloadUnderLoad,
  'old-releases': oldReleases,
  'apply-to-served': applyToServed,
  'operator-scale': operatorScale,
  'many-clients': manyClients,
  suspension,
  poisoned,
  inventory: inventoryBatches,
  'hostile-uploads': hostileUploads,
  images: moderatedImages,
  explorer: explorerSpeed,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
const page = new URL('../docs/benchmarks.md', import.meta.url)
for (const [name, run] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`${name} …`)
  const section = await run()
  console.log(terminalTable(section))
  writeFileSync(page, benchmarkPage(existsSync(page) ? readFileSync(page, 'utf8') : '', [section]))
}
