import { onDay, suv } from './requests.ts'

interface Provocation {
  body?: unknown
  headers?: Record<string, string>
  as?: string | null
  /** Asked before the rates are loaded. */
  unready?: boolean
}

/** What provokes each example of an error in the document, by the response and the example's name. */
export const PROBLEM_ANSWERS: Record<string, Provocation> = {
  'BadRequest.schema': { body: suv({ registration: { ...onDay('2026-08-10').registration, startDate: 'today' } }) },
  'BadRequest.showroom': { body: suv({ showroomCode: '' }) },
  'Unauthenticated.missing': { as: null },
  'Unauthenticated.expired': { as: null, headers: { authorization: 'Bearer old' } },
  'Forbidden.suspended': { as: 'suspended' },
  'PayloadTooLarge.large': { body: JSON.stringify({ padding: 'x'.repeat(300_000) }) },
  'UnsupportedMediaType.text': { headers: { 'content-type': 'text/plain' } },
  'NotReady.starting': { unready: true },
  'NotReadyOrSigned.starting': { unready: true },
}
