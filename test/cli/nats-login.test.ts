import { afterAll, beforeAll, expect, test } from 'vitest'
import { asUser, startChartNats } from '../harness/chart-nats.ts'
import { secretFolder, type SecretFolder } from '../harness/nats-logins.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { driveawayProcess } from './driveaway.ts'

const PASSWORD = 'hunter2-0123456789'
let nats: TestNats
let folder: SecretFolder
beforeAll(async () => {
  nats = await startTestNats({ configuration: `authorization { user: desk, password: "${PASSWORD}" }` })
  folder = secretFolder({ username: 'desk', password: PASSWORD })
})
afterAll(async () => {
  await nats.close()
  folder.remove()
})

const NOTHING_WAITS = { status: 1, stderr: 'no announcement waits\n' }
const list = (env: Record<string, string>, ...more: string[]) => driveawayProcess(['notices', 'list', ...more], { env })

test('the login of the address opens NATS, from --nats and from NATS_URL', () => {
  const url = `nats://desk:${PASSWORD}@127.0.0.1:${nats.port}`
  expect(list({}, '--nats', url)).toMatchObject(NOTHING_WAITS)
  expect(list({ NATS_URL: url })).toMatchObject(NOTHING_WAITS)
})

test('the login of NATS_SECRET_DIRECTORY opens NATS', () => {
  expect(list({ NATS_URL: nats.url, NATS_SECRET_DIRECTORY: folder.path })).toMatchObject(NOTHING_WAITS)
})

test('a refused login is a fault of the server, exit 3, that names the address and no password', () => {
  const refused = list({}, '--nats', `nats://desk:wrong-${PASSWORD}@127.0.0.1:${nats.port}`)
  expect(refused).toMatchObject({ status: 3 })
  expect(refused.stderr).toMatch(`NATS at ${nats.url}: the server refuses the login (`)
  const none = list({ NATS_URL: nats.url })
  expect(none).toMatchObject({ status: 3 })
  expect(none.stderr).toContain('the server requires a login, but none is set')
  expect(JSON.stringify([refused, none])).not.toContain(PASSWORD)
})

test('a login that lacks the right is a fault of the server, exit 3, that names the login which has it', async () => {
  const chart = await startChartNats()
  try {
    const refused = driveawayProcess(['dead-letters', 'list', '--nats', asUser(chart.url, 'operator')], { env: {} })
    expect(refused).toMatchObject({ status: 3 })
    expect(refused.stderr).toMatch(
      /^NATS does not let this login do that: Permissions Violation.*\nPeople use the login admin/,
    )
  } finally {
    await chart.close()
  }
})

test('a login that cannot be read is the fault of the call, exit 2', () => {
  const twice = list({ NATS_SECRET_DIRECTORY: folder.path }, '--nats', `nats://desk:${PASSWORD}@127.0.0.1:${nats.port}`)
  expect(twice).toMatchObject({ status: 2 })
  expect(twice.stderr).toContain('one login for NATS is expected')
  const nowhere = list({ NATS_URL: nats.url, NATS_SECRET_DIRECTORY: '/nowhere' })
  expect(nowhere).toMatchObject({ status: 2 })
  expect(nowhere.stderr).toContain('there is no folder /nowhere')
  const unencoded = list({}, '--nats', `nats://desk:1/${PASSWORD}@127.0.0.1:${nats.port}`)
  expect(unencoded).toMatchObject({ status: 2 })
  expect(unencoded.stderr).toContain('percent-encoded')
  expect(JSON.stringify([twice, nowhere, unencoded])).not.toContain(PASSWORD)
})
