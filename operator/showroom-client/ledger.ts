import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '#rates/engine/fault.ts'
import type { ClientBinding, ClientsIndex } from '#rates/published/format.ts'
import type { ClientVerdict } from './decide.ts'

/** What the last publication run found of one client. */
export interface ClientRecord {
  /** Of the object that was judged. */
  uid: string
  generation: number
  faults: Fault[]
  binding?: ClientBinding
  /** Sequence of the clients index that brought this binding in, as far as this process knows. */
  since: number
}

/** The records by client id. */
export interface ClientsLedger {
  records: Map<string, ClientRecord>
  digest?: string
  sequence?: number
}

export function emptyClientsLedger(): ClientsLedger {
  return { records: new Map() }
}

/** Takes over what a run found; a binding that is as it was keeps the sequence that brought it in. */
export function recordClients(
  ledger: ClientsLedger,
  run: { verdicts: readonly ClientVerdict[]; published: ReadonlyMap<string, ClientBinding>; index: ClientsIndex },
): void {
  const { verdicts, published, index } = run
  const before = ledger.records
  ledger.records = new Map(
    verdicts.map(({ client, binding, faults }) => {
      const { name, uid, generation } = client.metadata
      const known = before.get(name)
      const isSame = isDeepStrictEqual(published.get(name), binding)
      const since = isSame && known ? known.since : index.sequence
      return [name, { uid, generation, faults, since, ...(binding && { binding }) }]
    }),
  )
  ledger.digest = index.digest
  ledger.sequence = index.sequence
}
