import type { Fault } from '#rates/checks/fault.ts'
import { stampConditions, type WantedCondition } from '../status/conditions.ts'
import { loadedCondition, reconcilingCondition, type Content } from '../status/loaded-condition.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { hasLoaded, type ClientRecord, type ClientsLedger } from './ledger.ts'
import { CONTENT_LOST, saysLost, type ShowroomClientStatus } from './object.ts'

export interface ClientSeen {
  previous?: ShowroomClientStatus
  processes: readonly ApiProcess[]
  /** The index in force. */
  inForce: Pick<ClientsLedger, 'sequence' | 'digest'>
  now: string
  /** The number of addresses that a mail server refused. */
  refused?: number
  /** The object was deleted, and a finalizer keeps it. */
  isBeingDeleted?: boolean
}

/** The status of a ShowroomClient, computed from its record and what the API processes serve. Pure. */
export function clientStatus(record: ClientRecord, circumstances: ClientSeen): ShowroomClientStatus {
  const { previous, processes, now, refused = 0 } = circumstances
  const { generation } = record
  const before = previous?.conditions.find(
    ({ type, observedGeneration }) => type === 'Loaded' && observedGeneration === generation,
  )
  const serves = ({ loaded }: ApiProcess) => hasLoaded(loaded?.clients, record.since, circumstances.inForce)
  const isLost = record.isLost === true || saysLost(previous)
  const loaded = loadedCondition({ before, content: contentOf(record), processes, serves })
  const desired = [
    ...conditions({ ...record, isLost }, loaded, suspensionOf(record, circumstances)),
    ...noticesCondition(refused),
  ]
  return {
    observedGeneration: generation,
    conditions: stampConditions(previous?.conditions ?? [], desired, { generation, now }),
  }
}

/** Present only while an address refuses notices; the dead letter names the address. */
function noticesCondition(refused: number): WantedCondition[] {
  if (refused === 0) return []
  const message = `the mail server permanently refused ${refused} of the addresses in spec.contacts: correct the addresses, then run driveaway dead-letters replay --notices`
  return [{ type: 'NoticesDelivered', status: 'False', reason: 'AddressRefused', message }]
}

function contentOf({ faults, binding }: ClientRecord): Content {
  if (!binding) return 'none'
  return faults.length > 0 ? 'earlier' : 'present'
}

/** What is added to the message of `Published` when the client has no rights. */
function suspensionOf({ binding }: ClientRecord, { isBeingDeleted }: ClientSeen): string {
  if (isBeingDeleted) return ', suspended: the client is deleted and disappears once its finalizers are removed'
  return binding?.suspended ? ', suspended' : ''
}

function conditions(record: ClientRecord, loaded: WantedCondition, suspension: string): WantedCondition[] {
  const { faults, binding } = record
  const [first] = faults
  if (!first) {
    const message = `published${suspension}`
    return [
      { type: 'Ready', status: 'True', reason: binding?.suspended ? 'Suspended' : 'Published', message },
      { type: 'Published', status: 'True', reason: 'Published', message },
      loaded,
      ...reconcilingCondition(loaded),
    ]
  }
  const message = faultMessage(first, faults.length - 1)
  return [
    { type: 'Ready', status: 'False', reason: 'CheckFailed', message },
    publishedCondition(record),
    loaded,
    { type: 'Stalled', status: 'True', reason: 'CheckFailed', message },
  ]
}

function publishedCondition({ binding, isLost, isHeldBack }: ClientRecord): WantedCondition {
  if (isLost) return lostCondition
  if (!binding) return notPublished
  return isHeldBack ? heldBackCondition : narrowedCondition
}

const heldBackCondition: WantedCondition = {
  type: 'Published',
  status: 'True',
  reason: 'LastGood',
  message: 'the published state stays, including the rights that this generation removes',
}

const narrowedCondition: WantedCondition = {
  type: 'Published',
  status: 'True',
  reason: 'Narrowed',
  message: 'the published state stays, without the rights that this generation removes',
}

const lostCondition: WantedCondition = {
  type: 'Published',
  status: 'True',
  reason: CONTENT_LOST,
  message:
    'the published state was lost: only the parts of this object without faults are published; correct the object to restore the rest',
}

const notPublished: WantedCondition = {
  type: 'Published',
  status: 'False',
  reason: 'NotPublished',
  message: 'nothing of this client is published',
}

function faultMessage(first: Fault, more: number): string {
  return `${first.path === '' ? 'spec' : `spec.${first.path}`}: ${first.message} (${first.check})${more > 0 ? `; and ${more} more` : ''}`
}
