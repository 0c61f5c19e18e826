import { importKeyRing } from '../../api/auth/key-ring.ts'
import { signAccessToken } from '../../api/auth/access-token.ts'
import { serve } from '../../api/http/serve.ts'
import { createInventoryApp } from '../../api/inventory/app.ts'
import { createExaminer, type Examiner } from '../../api/inventory/examiner.ts'
import { createHolder } from '../../api/load/held.ts'
import type { Asset, Item } from '../../inventory/batch.ts'
import type { Job } from '../../inventory/job.ts'
import type { InventoryStore } from '../../inventory/store.ts'
import type { ClientBinding } from '../../rates/published/format.ts'
import { createLog } from '../../runtime/log.ts'
import type { Tracing } from '../../runtime/tracing/trace.ts'
import { appServices } from '../api/app-services.ts'
import { AUDIENCE, binding, clientsOf, ISSUER, newSigningKey } from '../api/pricing-server.ts'
import { waitFor } from '../harness/wait-for.ts'

export const UPLOADERS = ['uploader', 'other', 'third'] as const

export interface UploadServer {
  url: string
  token(clientId?: string): Promise<string>
  post(body: unknown, headers?: Record<string, string>): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

interface UploadServerOptions {
  perMinute?: number
  replicas?: number
  clock?: () => number
  tracing?: Tracing | undefined
  /** What the uploaders have beyond their grant. */
  bound?: Partial<ClientBinding>
  storeFailed?: () => void
  /** In place of the examiner of the program. */
  examine?: Examiner['examine']
}

/** The inventory application on a free port over a store: clients that may upload, and `dealer` and `suspended`. */
export async function startUploadServer(
  store: () => InventoryStore | undefined,
  {
    perMinute = 10_000,
    replicas = 1,
    clock = Date.now,
    tracing,
    bound,
    storeFailed,
    examine,
  }: UploadServerOptions = {},
): Promise<UploadServer> {
  const key = await newSigningKey('k1')
  const keys = await importKeyRing({ keys: [{ state: 'current', since: '2026-08-01T00:00:00Z', jwk: { ...key } }] })
  const write = { grants: ['inventory:write'] }
  const refused = [binding('dealer'), binding('suspended', { ...write, suspended: true })]
  const clients = [...UPLOADERS.map((id) => binding(id, { ...write, ...bound })), ...refused]
  const holder = createHolder()
  holder.swap({ keys, clients: clientsOf(...clients) })
  const log = createLog({ name: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const about = { issuer: ISSUER, audience: AUDIENCE, clock, external: undefined }
  const examiner = { ...createExaminer({ log }), ...(examine && { examine }) }
  const app = await createInventoryApp({
    ...about,
    ...appServices(undefined, log),
    ...{ holder, store, tracing, ...(storeFailed && { storeFailed }), rateLimit: { perMinute, replicas }, examiner },
  })
  const served = await serve(app, { host: '127.0.0.1', port: 0 })
  const token = (clientId = 'uploader') => {
    const client = clients.find((each) => each.clientId === clientId)!
    const now = Math.floor(clock() / 1000)
    return signAccessToken(keys.signer!, client, { ...about, scopes: client.grants, now })
  }
  const bearer = async () => ({ authorization: `Bearer ${await token()}` })
  return {
    ...{ url: served.url, token, close: () => served.close().then(() => examiner.stop()) },
    post: async (body, headers = {}) =>
      fetch(`${served.url}/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await bearer()), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: async (path, headers = {}) => fetch(`${served.url}${path}`, { headers: { ...(await bearer()), ...headers } }),
  }
}

export function item(sourceId: string, change: { vehicle?: object; assets?: Asset[] } = {}): Item {
  const { vehicle, ...rest } = change
  return {
    showroom_ids: ['5b0f7a52-6f0e-4a59-9d5a-6a8f5d2a3c11'],
    assets: [],
    ...rest,
    vehicle: { source_id: sourceId, make: 'Kia', model: 'EV5', ...vehicle },
  }
}

export const batch = (items: readonly unknown[], change: object = {}) => ({ source_name: 'test', items, ...change })

/** The job that a 201 names; throws on any other answer. */
export async function jobIdOf(response: Response): Promise<string> {
  const body = (await response.json()) as { job_id: string }
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return body.job_id
}

/** Polls a job to its end. */
export async function completed(server: UploadServer, jobId: string, timeoutMs = 30_000): Promise<Job> {
  let job: Job | undefined
  const done = async () => {
    job = (await (await server.get(`/jobs/${jobId}`)).json()) as Job
    return job.status === 'completed'
  }
  await waitFor(`job ${jobId}`, done, { timeoutMs })
  return job!
}
