import { expect, test } from 'vitest'
import { serverFault } from '../../../runtime/nats/server-fault.ts'

const fit = { version: '2.12.5', max_payload: 4 * 1024 * 1024, jetstream: true }

test('2.12.5 is the oldest server that is fit; releases are compared as numbers', () => {
  const versions = ['2.9.10', '2.12.4', '2.12.5', '2.12.10', '2.14.0-RC.1', '3.0.0', 'unknown']
  expect(versions.filter((version) => serverFault({ ...fit, version }) === undefined)).toEqual([
    '2.12.5',
    '2.12.10',
    '2.14.0-RC.1',
    '3.0.0',
  ])
})

test('a payload under 4 MiB and a missing JetStream are said', () => {
  expect(serverFault({ ...fit, max_payload: 4 * 1024 * 1024 - 1 })).toContain('max_payload')
  expect(serverFault({ ...fit, jetstream: false })).toContain('JetStream')
  expect(serverFault(undefined)).toBeDefined()
})
