import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { V1ConfigMap } from '@kubernetes/client-node'
import type { RateSetObject } from '../../../operator/rate-set/object.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'

/** What an operator that writes one format has stored: see capture.ts for what is published in it. */
export interface Fixture {
  configMaps: V1ConfigMap[]
  rateSets: RateSetObject[]
  showroomClients: ShowroomClientObject[]
}

export function readFixture(format: number): Fixture {
  return JSON.parse(readFileSync(join(import.meta.dirname, `format-${format}.json`), 'utf8')) as Fixture
}

/** The invented secret of a client of the fixtures. */
export function clientSecretText(name: string): string {
  return `invented-secret-of-${name}`.padEnd(43, '-')
}
