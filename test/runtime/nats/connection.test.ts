import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { followNats, type FollowedNats } from '../../../runtime/nats/connection.ts'
import { freePort } from '../../harness/free-port.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { waitFor } from '../../harness/wait-for.ts'

const log = createLog({ name: 'test', level: 'silent' })
let nats: TestNats | undefined
let followed: FollowedNats | undefined
afterEach(async () => {
  await followed?.stop()
  await nats?.close()
  nats = followed = undefined
})

const follow = (url: string) => (followed = followNats({ url, name: 'test', log, retryMs: 50 }))
const isReady = () => followed?.ready().ok === true

test('a server of today with JetStream makes it ready, a killed one unready, and its restart ready again', async () => {
  nats = await startTestNats()
  follow(nats.url)
  await waitFor('the connection', isReady)
  await nats.kill()
  await waitFor('the loss to be seen', () => !isReady())
  expect(followed?.ready().body).toEqual({ ready: false, nats: 'disconnected' })
  expect(followed?.connection()).toBeUndefined()
  await nats.start()
  await waitFor('the connection again', isReady)
  await followed?.connection()?.flush()
})

test('a server that takes small messages only is not ready, and the reason names the limit', async () => {
  nats = await startTestNats({ configuration: 'max_payload: 1MB' })
  follow(nats.url)
  await waitFor('the verdict', () => JSON.stringify(followed?.ready().body).includes('max_payload'))
  expect(isReady()).toBe(false)
})

test('without a server it is not ready, says why, and stops at once', async () => {
  follow(`nats://127.0.0.1:${await freePort()}`)
  await waitFor('the refusal', () => JSON.stringify(followed?.ready().body).includes('cannot connect'))
  const start = performance.now()
  await followed?.stop()
  expect(performance.now() - start).toBeLessThan(1_000)
})
