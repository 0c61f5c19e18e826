import type { Requeue } from '#runtime/kube/queue.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { toldTransitions, type Told } from '../status/conditions.ts'
import { isTooEarly, LOADING_MS } from '../status/loaded-condition.ts'
import type { StatusWriter } from '../status/write-status.ts'
import type { ClientsLedger } from './ledger.ts'
import { isBeingDeleted, type ShowroomClientObject, type ShowroomClientStatus } from './object.ts'
import { clientStatus } from './status.ts'
import { isUnpublished, unpublishedConditions } from '../status/unpublished.ts'
import { stampConditions } from '../status/conditions.ts'

export interface ClientReconciler {
  object: (name: string) => ShowroomClientObject | undefined
  ledger: ClientsLedger
  /** The number of a client's addresses that permanently refused its last notice. */
  refusedAddresses?: (name: string) => number
  /** The API processes that ran when the clients were last published. */
  processes: () => readonly ApiProcess[]
  statuses: StatusWriter<ShowroomClientStatus>
  now: () => Date
}

/** There may be 10,000 clients, so only summaries become events, and not that a new client is ready. */
const told: Told = (previous, next) =>
  toldTransitions(previous, next).filter(({ type, reason }) => type === 'Ready' && (previous || reason !== 'Published'))

/**
 * Writes the status of one ShowroomClient. A client that the last publication run has not judged is left to the next
 * run.
 */
export async function reconcileClient(reconciler: ClientReconciler, name: string): Promise<Requeue> {
  const { ledger, processes, statuses, now } = reconciler
  const object = reconciler.object(name)
  if (!object) return statuses.forget(name)
  const record = ledger.records.get(name)
  const previous = statuses.current(object)
  if (record?.uid !== object.metadata.uid || record.generation !== object.metadata.generation)
    return tellUnpublished(reconciler, object, previous)
  const refused = reconciler.refusedAddresses?.(name) ?? 0
  const surroundings = { processes: processes(), inForce: ledger, now: now().toISOString(), refused }
  const circumstances = { ...(previous && { previous }), ...surroundings, isBeingDeleted: isBeingDeleted(object) }
  const status = clientStatus(record, circumstances)
  if (isTooEarly(status.conditions, circumstances.processes)) return { after: LOADING_MS }
  await statuses.write(object, status, told)
}

/** While publications fail, the status of a waiting client says so; otherwise the next run judges the client. */
async function tellUnpublished(
  { ledger, statuses, now }: ClientReconciler,
  object: ShowroomClientObject,
  previous: ShowroomClientStatus | undefined,
): Promise<void> {
  const { name, generation } = object.metadata
  const withStatus = { ...object, ...(previous && { status: previous }) }
  if (!ledger.failing || !isUnpublished(withStatus, ledger.records.get(name))) return
  const before = previous?.conditions ?? []
  const observed = { generation, now: now().toISOString() }
  const conditions = stampConditions(before, unpublishedConditions(before, ledger.failing), observed)
  await statuses.write(object, { observedGeneration: generation, conditions }, told)
}
