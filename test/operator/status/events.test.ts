import { expect, test } from 'vitest'
import { eventOf } from '../../../operator/status/events.ts'

const regarding = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b', uid: 'c' } }
const at = { lastTransitionTime: '2026-07-01T00:00:00Z', observedGeneration: 1, message: 'why' }

test.each([
  ['Ready', 'False', 'CheckFailed', 'Warning'],
  ['Stalled', 'True', 'CheckFailed', 'Warning'],
  ['Published', 'True', 'ContentLost', 'Warning'],
  ['Restored', 'True', 'ServerRestored', 'Warning'],
  ['Published', 'True', 'Published', 'Normal'],
  ['Reconciling', 'True', 'AwaitingAttestation', 'Normal'],
] as const)('%s=%s because of %s is an event of type %s', (type, status, reason, kind) => {
  const event = eventOf(regarding, { type, status, reason, ...at }, new Date(0))
  expect(event).toMatchObject({ type: kind, reason, note: `${type}=${status}: why` })
})
