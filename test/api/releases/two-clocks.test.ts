import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBundle } from '#rates/release/bundle.ts'
import { keptName } from '#rates/release/kept-release.ts'
import type { ReleaseKey } from '#rates/release/signed.ts'
import { kubeOf, type NewObject } from '#runtime/kube/kube.ts'
import { followKeptReleases, type KeptReleases } from '../../../api/releases/kept-releases.ts'
import type { ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { PublishedPlace } from '../../operator/publish/published-place.ts'
import { bearer, startPricingServer, suv, type PricingServer } from '../pricing-server.ts'
import { counting, FEES, log, namespace, PUBLISHED, startThreeReleases } from './three-releases.ts'

let plane: ControlPlane
let place: PublishedPlace
let kept: KeptReleases
let server: PricingServer
let headers: Record<string, string>
let stop: () => Promise<void>
/** Requests for the content of a release, by name of its ConfigMap. */
const reads: string[] = []
const releases: string[] = []

beforeAll(async () => {
  const started = await startThreeReleases(reads)
  ;({ plane, place, kept, server, headers, stop } = started)
  releases.push(...started.releases)
}, 120_000)
afterAll(() => stop?.())

const sydney = (options?: object) => suv({ pricingCode: 'AU_NSW', showroomCode: 'SYD01', ...(options && { options }) })

interface Quoted {
  metadata: { release: string }
  totals: { driveAway: number }
  code?: string
  message: string
  errors: { path: string }[]
}
async function post(
  path: string,
  body: unknown,
): Promise<{ status: number; text: string; body: Quoted; headers: Headers }> {
  const answer = await server.post(path, body, headers)
  const text = await answer.text()
  return { status: answer.status, text, body: JSON.parse(text) as Quoted, headers: answer.headers }
}
const quoteAt = (asKnownAt: string) => post('/v1/quote', sydney({ asKnownAt }))
const ask = async (path: string, fields: Record<string, string> = {}) => server.get(path, { ...headers, ...fields })

test('a time selects the release that was in force then, its first instant included', async () => {
  const now = await post('/v1/quote', sydney())
  // The dutiable value, and the fee of the federal set.
  const cents = 4_500_000 + 1000
  expect([now.body.metadata.release, now.body.totals.driveAway]).toEqual([releases[2], cents + 3000])
  const cases = [
    ['2026-03-01T00:00:00Z', 0],
    ['2026-04-01T09:59:59.999+10:00', 0],
    ['2026-04-01T10:00+10:00', 1],
    ['2026-04-30T23:59:59Z', 1],
    ['2026-05-01T00:00:00Z', 2],
  ] as const
  for (const [asKnownAt, at] of cases) {
    const { body } = await quoteAt(asKnownAt)
    expect([asKnownAt, body.metadata.release, body.totals.driveAway]).toEqual([
      ...[asKnownAt, releases[at]],
      cents + Number(FEES[at]) * 100,
    ])
  }
})

test('a release selects itself, with the bytes of the answer of its day, in quotes, batches and targets', async () => {
  const byTime = await quoteAt('2026-03-10T00:00:00Z')
  expect((await quoteAt(releases[0]!)).text).toBe(byTime.text)
  const batch = await post('/v1/quote/batch', [
    sydney({ asKnownAt: releases[1] }),
    sydney(),
    sydney({ asKnownAt: PUBLISHED[0] }),
  ])
  const items = batch.body as unknown as Quoted[]
  expect(items.map(({ metadata }) => metadata.release)).toEqual([releases[1], releases[2], releases[0]])
  const target = { driveAway: 5_000_000 }
  const solved = await post('/v1/quote/target-drive-away', { ...sydney({ asKnownAt: releases[0] }), target })
  expect((solved.body as unknown as { quote: Quoted }).quote.metadata.release).toBe(releases[0])
})

test('rules, concessions, jurisdictions and changes of a time', async () => {
  const at = `asKnownAt=${encodeURIComponent('2026-03-15T10:00:00+10:00')}`
  const rules = '/v1/rules?pricingCode=AU_NSW&date=2026-08-10&showroomCode=SYD01'
  const tags = await Promise.all(
    [`${rules}&${at}`, `${rules}&asKnownAt=${releases[0]}`, rules].map(async (path) =>
      (await ask(path)).headers.get('etag'),
    ),
  )
  expect([tags[0] === tags[1], tags[0] === tags[2]]).toEqual([true, false])
  for (const path of ['/v1/concessions?pricingCode=AU_NSW&date=2026-08-10', '/v1/jurisdictions?date=2026-08-10']) {
    const asked = [`${path}&${at}`, `${path}&asKnownAt=${releases[0]}`, path].map((each) => ask(each))
    const [then, named, now] = (await Promise.all(asked)).map(({ headers }) => headers.get('etag'))
    expect([then === named, then === now], path).toEqual([true, false])
    expect(await (await ask(`${path}&asKnownAt=2020-01-01T00:00:00Z`)).json()).toMatchObject({
      code: 'UNKNOWN_RELEASE',
    })
  }
  const jurisdictions = await ask(`/v1/jurisdictions?${at}`)
  expect(await jurisdictions.json()).toMatchObject({ release: releases[0] })
  const changes = await ask(`/v1/changes?from=2026-07-01&to=2026-07-31&${at}`)
  expect(await changes.json()).toMatchObject({ release: releases[0] })
  expect(await (await ask('/v1/changes?from=2026-07-01&to=2026-07-31')).json()).toMatchObject({ release: releases[2] })
})

test('what is kept is listed with its times, and until when', async () => {
  const answer = await ask('/v1/releases')
  const ended = (at: number, keptUntil: string) => ({
    ...{ release: releases[at], isCurrent: false, kept: true, keptUntil },
    inForce: [{ since: PUBLISHED[at], until: PUBLISHED[at + 1] }],
  })
  const current = { release: releases[2], isCurrent: true, kept: true, inForce: [{ since: PUBLISHED[2] }] }
  const listed = [current, ended(1, '2027-06-05T00:00:00.000Z'), ended(0, '2027-05-06T00:00:00.000Z')]
  expect([answer.status, await answer.json()]).toEqual([200, { releases: listed }])
})

test('the feed has what is kept, the newest first, and a feed program that has it is told so', async () => {
  const { status, headers: fields } = await ask('/v1/releases.atom')
  expect([status, fields.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const text = await (await ask('/v1/releases.atom')).text()
  const linked = [...text.matchAll(/rel="alternate"[^>]*href="[^"]*\/v1\/releases\/([^"]*)"/g)].map(([, name]) => name)
  expect(linked).toEqual(releases.toReversed())
  expect((await ask('/v1/releases.atom', { 'if-none-match': fields.get('etag')! })).status).toBe(304)
  expect((await server.get('/v1/releases.atom')).status).toBe(401)
})

test('the content of a release is the one of its bundle, and clients need not ask for it twice', async () => {
  const old = await ask(`/v1/releases/${releases[0]}`)
  expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable'])
  const content = (await old.json()) as {
    release: string
    sets: { spec: { rules: { cases: { charge: object }[] }[] } }[]
  }
  expect([content.release, content.sets[1]?.spec.rules[0]?.cases[0]?.charge]).toEqual([releases[0], { flat: '10.00' }])
  const again = await ask(`/v1/releases/${releases[0]}`, { 'if-none-match': old.headers.get('etag')! })
  expect(again.status).toBe(304)
  const current = await ask('/v1/releases/current')
  expect([current.headers.get('cache-control'), await current.text()]).toEqual([
    'private, no-cache',
    await (await ask(`/v1/releases/${releases[2]}`)).text(),
  ])
})

test('the bundle of a release is its content and its times in force, signed with the key of now', async () => {
  const { keys } = (await (await ask('/.well-known/release-keys')).json()) as { keys: ReleaseKey[] }
  for (const [at, inForce] of [
    [0, [{ since: PUBLISHED[0], until: PUBLISHED[1] }]],
    [2, [{ since: PUBLISHED[2] }]],
  ] as const) {
    const path = `/v1/releases/${releases[at]}`
    const bundle = await ask(path, { accept: 'application/vnd.driveaway.bundle+gzip' })
    const { content, claims } = await readBundle(new Uint8Array(await bundle.arrayBuffer()), keys)
    expect([content, claims.environment, claims.inForce]).toEqual([await (await ask(path)).json(), 'test', inForce])
  }
})

/** Another process, which has compiled nothing yet. */
async function another(
  use: (ask: (options?: object) => Promise<Response>, list: KeptReleases['list']) => Promise<void>,
) {
  const { snapshot } = server.holder.read().rates!
  const fresh = followKeptReleases({
    kube: counting(kubeOf(plane.kubeConfigFor('driveaway-api')), reads),
    namespace,
    log,
  })
  const other = await startPricingServer(snapshot, undefined, { log, keptReleases: fresh, keepDays: 400 })
  await waitFor('what is kept', () => fresh.list())
  const own = bearer(await other.token())
  await use((options) => other.post('/v1/quote', sydney(options), own), fresh.list)
  await other.close()
  await fresh.stop()
}

test('a release is read once, however many ask for it at the same time', () =>
  another(async (ask) => {
    reads.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ asKnownAt: releases[0] })))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(reads.filter((name) => name.startsWith('release-'))).toEqual([keptName(releases[0]!)])
  }))

test('what nobody knows is refused with the field, and the message names what is kept', async () => {
  const cases = [
    ['2026-02-28T23:59:59Z', 'UNKNOWN_RELEASE', 'No release that was in force'],
    ['2126-01-01T00:00:00Z', 'UNKNOWN_RELEASE', 'has not come yet'],
    [`sha256:${'0'.repeat(64)}`, 'UNKNOWN_RELEASE', 'is not kept'],
    ['2026-03-10', 'bad_request', 'an ISO time with a zone'],
    ['2026-02-30T10:00:00Z', 'bad_request', 'an ISO time with a zone'],
    ['2026-03-10T10:00:00', 'bad_request', 'an ISO time with a zone'],
  ] as const
  for (const [asKnownAt, code, message] of cases) {
    const { status, body } = await quoteAt(asKnownAt)
    expect([asKnownAt, status, body.code, body.errors[0]?.path]).toEqual([
      asKnownAt,
      400,
      code,
      '/body/options/asKnownAt',
    ])
    expect(body.message).toContain(message)
    if (code === 'UNKNOWN_RELEASE') for (const release of releases) expect(body.message).toContain(release)
  }
  const batch = await post('/v1/quote/batch', [sydney(), sydney({ asKnownAt: '1999-01-01T00:00:00Z' })])
  expect([batch.status, batch.body.errors[0]?.path]).toEqual([400, '/body/1/options/asKnownAt'])
})

const reference = (at: number) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name: keptName(releases[at]!), namespace },
})

/** Does something to what is kept, and puts everything back afterwards. */
async function damaging(at: number, use: (old: V1ConfigMap) => Promise<void>): Promise<void> {
  const old = (await place.kube.get<V1ConfigMap>(reference(at)))!
  await place.kube.delete(reference(at))
  await use(old)
  await place.kube.delete(reference(at))
  await create(at, old)
  await waitFor('what is kept', () => kept.list()?.length === 3)
}

function create(at: number, { metadata: { labels, annotations } = {}, binaryData, immutable }: V1ConfigMap) {
  const metadata = { ...reference(at).metadata, labels, annotations }
  return place.kube.create({ ...reference(at), metadata, binaryData, immutable } as NewObject)
}

test('a release whose content was exchanged is refused, and every other answers', async () => {
  const other = await place.kube.get<V1ConfigMap>(reference(1))
  await damaging(0, async (old) => {
    await create(0, { ...old, binaryData: other!.binaryData! })
    await another(async (ask) => {
      const damaged = await ask({ asKnownAt: releases[0] })
      const { code, message } = (await damaged.json()) as Quoted
      expect([damaged.status, code]).toEqual([400, 'UNKNOWN_RELEASE'])
      expect(message).toContain('is damaged where it is kept')
      expect([(await ask({ asKnownAt: releases[1] })).status, (await ask()).status]).toEqual([200, 200])
    })
  })
})

test('a release that somebody deletes is missed alone; its time gets no other answer', () =>
  damaging(1, () =>
    another(async (ask, list) => {
      expect(list()?.length).toBe(2)
      const { code, message } = (await (await ask({ asKnownAt: '2026-04-10T00:00:00Z' })).json()) as Quoted
      expect([code, message]).toEqual(['UNKNOWN_RELEASE', expect.stringContaining('No release that was in force')])
      expect((await ask({ asKnownAt: '2026-03-10T00:00:00Z' })).status).toBe(200)
    }),
  ))

test('while the cluster is away, an old release that is not loaded is 503, and the present one is quoted', () =>
  another(async (ask) => {
    await plane.stopApiServer()
    const away = await ask({ asKnownAt: releases[0] })
    const { code } = (await away.json()) as Quoted
    expect([away.status, away.headers.get('retry-after'), code]).toEqual([503, '5', 'not_ready'])
    expect((await ask()).status).toBe(200)
    await plane.startApiServer()
    await waitFor('the server', async () => (await ask({ asKnownAt: releases[0] })).status === 200)
  }))
