import { expect, test } from 'vitest'
import { toldTransitions, type Condition } from '../../../operator/status/conditions.ts'

const condition = (text: string): Condition => {
  const [type, status, reason, message = ''] = text.split(' ') as [string, 'True' | 'False', string, string?]
  return { type, status, reason, message, observedGeneration: 1, lastTransitionTime: '2026-11-21T00:00:00Z' }
}
const told = (before: string[] | undefined, now: string[]) =>
  toldTransitions(before?.map(condition), now.map(condition)).map(({ type, reason }) => `${type} ${reason}`)

const good = ['Ready True Published', 'Published True Published', 'Loaded True Loaded']
const bad = [
  'Ready False CheckFailed one',
  'Published True LastGood',
  'Loaded False Held',
  'Stalled True CheckFailed one',
]

test('one fault is one event, and so is its end', () => {
  expect(told(good, bad)).toEqual(['Ready CheckFailed'])
  expect(told(bad, good)).toEqual(['Ready Published'])
})

test('another fault under the same reason is an event', () => {
  expect(told(bad, ['Ready False CheckFailed two', ...bad.slice(1)])).toEqual(['Ready CheckFailed'])
  expect(told(bad, bad)).toEqual([])
})

test('where Ready stays as it is, what becomes of Published and Loaded is told', () => {
  const loading = [
    'Ready True Published',
    'Published True Published',
    'Loaded False Loading',
    'Reconciling True Loading',
  ]
  expect(told(good, loading)).toEqual(['Loaded Loading'])
  expect(told(loading, good)).toEqual(['Loaded Loaded'])
})

test('the first status of an object is one event', () => {
  expect(told(undefined, good)).toEqual(['Ready Published'])
})
