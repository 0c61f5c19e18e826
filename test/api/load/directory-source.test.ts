import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startDirectorySource } from '../../../api/load/directory-source.ts'
import { createHolder } from '../../../api/load/held.ts'
import type { Source } from '../../../api/load/source.ts'
import { readiness } from '../../../api/load/report.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { waitFor } from '../../harness/wait-for.ts'

let source: Source | undefined
afterEach(async () => {
  await source?.stop()
})

test('a folder is served and its changes are followed; a fault keeps what was served and names the file', async () => {
  const folder = temporaryDirectory('rates')
  const [rates, clients] = [join(folder.path, 'sets'), join(folder.path, 'clients.yaml')]
  for (const set of ['au', 'au-vic']) {
    mkdirSync(join(rates, set), { recursive: true })
    cpSync(`rates/sets/${set}/fy27.yaml`, join(rates, set, 'fy27.yaml'))
  }
  writeFileSync(clients, 'clients: [{ clientId: dealer, secret: s, showroomCodes: [MEL01] }]')
  const holder = createHolder()
  source = await startDirectorySource({ directory: rates, clientsFile: clients, holder })
  await waitFor('readiness', () => readiness(holder).ok)
  const release = () => holder.read().rates?.snapshot.release
  const first = release()

  const file = join(rates, 'au-vic', 'fy27.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll('44.20', '45.20'))
  await waitFor('the change', () => release() !== first)
  const second = release()

  writeFileSync(file, 'kind: [')
  await waitFor('the fault', () => holder.faults().rates?.includes('au-vic/fy27.yaml:'))
  expect(release()).toBe(second)

  // A figure that its worked examples refute: what is not proved is not served.
  writeFileSync(file, text.replace('flat: "44.20"', 'flat: "99.20"'))
  await waitFor('the refused figure', () => /examples\[\d+\]/.test(holder.faults().rates ?? ''))
  expect(release()).toBe(second)

  writeFileSync(file, text)
  await waitFor('the old rates', () => release() === first)
  expect(holder.faults()).toEqual({})

  writeFileSync(clients, 'clients: [{ clientId: other }]')
  await waitFor('the change of clients', () => holder.read().clients?.byId.has('other'))
  expect(holder.read().clients?.byId.has('dealer')).toBe(false)
  folder.remove()
})
