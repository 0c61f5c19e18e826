import { afterAll, beforeAll, expect, test } from 'vitest'
import { startThreeReleases, type ThreeReleases } from './three-releases.ts'

// "/v1/changes?fromRelease=&toRelease= says what a correction did": the fee of New South Wales was $10, then $20, then $30.
let place: ThreeReleases
let releases: readonly string[] = []
beforeAll(async () => {
  place = await startThreeReleases()
  releases = place.releases
}, 120_000)
afterAll(() => place?.stop())

interface Changes {
  release: string
  fromRelease?: string
  changes: { pricingCode: string; name: string; effectiveDate: string; from: unknown; to: unknown }[]
  nextCursor?: string
}

interface Refused {
  code?: string
  message: string
  errors: { path: string }[]
}

const between = async (query: string) => {
  const { server, headers } = place
  const answer = await server.get(`/v1/changes?${query}`, headers)
  return { status: answer.status, body: (await answer.json()) as Changes & Refused }
}

test('between two releases, the changes say what a correction did, also back from the later one', async () => {
  const { body } = await between(`fromRelease=${releases[0]}&toRelease=${releases[1]}`)
  expect([body.fromRelease, body.release]).toEqual([releases[0], releases[1]])
  const fee = { pricingCode: 'AU_NSW', kind: 'component', name: 'PLATES', effectiveDate: '2026-07-01', unit: 'cents' }
  expect(body.changes).toEqual([expect.objectContaining({ ...fee, from: 1000, to: 2000 })])
  const back = await between(`fromRelease=${releases[2]}&toRelease=${releases[0]}`)
  expect(back.body.changes).toEqual([expect.objectContaining({ ...fee, from: 3000, to: 1000 })])
})

test('without toRelease it is the current release; days and pricing codes select; a release and itself differ in nothing', async () => {
  const { body } = await between(`fromRelease=${releases[1]}`)
  expect([body.release, body.changes.map(({ from, to }) => [from, to])]).toEqual([releases[2], [[2000, 3000]]])
  for (const query of ['from=2026-07-02', 'to=2026-06-30']) {
    expect((await between(`fromRelease=${releases[1]}&${query}`)).body.changes).toEqual([])
  }
  expect((await between(`fromRelease=${releases[1]}&pricingCode=AU_NSW&from=2026-07-01`)).body.changes).toHaveLength(1)
  for (const release of [releases[0], releases[2]]) {
    expect(await between(`fromRelease=${release}&toRelease=${release}`)).toEqual({
      status: 200,
      body: { release, fromRelease: release, changes: [] },
    })
  }
})

test('a release of the two that is not kept is refused at its field, with what is kept', async () => {
  const unknown = `sha256:${'0'.repeat(64)}`
  const cases = [
    [`fromRelease=${unknown}`, 'UNKNOWN_RELEASE', 'fromRelease', releases[0]!],
    [`fromRelease=${releases[0]}&toRelease=${unknown}`, 'UNKNOWN_RELEASE', 'toRelease', releases[1]!],
    [`fromRelease=${releases[0]}&asKnownAt=${releases[1]}`, 'bad_request', 'asKnownAt', 'does not go with fromRelease'],
    [`toRelease=${releases[0]}&from=2026-07-01&to=2026-07-01`, 'bad_request', 'fromRelease', 'is required'],
    ['fromRelease=current', 'bad_request', 'fromRelease', 'pattern'],
  ] as const
  for (const [query, code, field, words] of cases) {
    const { status, body } = await between(query)
    expect([query, status, body.code, body.errors[0]?.path]).toEqual([query, 400, code, `/query/${field}`])
    expect(body.message).toContain(words)
  }
})

test('pages of one change each give all of them, and the cursor of another pair is refused', async () => {
  const query = `fromRelease=${releases[0]}&toRelease=${releases[1]}`
  const all = await between(query)
  expect((await between(`${query}&limit=1`)).body).toEqual(all.body)
  const { body } = await between(`${query}&cursor=${cursorOf(0, `${releases[1]}..${releases[2]}`)}`)
  expect([body.code, body.errors[0]?.path]).toEqual(['bad_request', '/query/cursor'])
})

const cursorOf = (position: number, compared: string) => Buffer.from(`${position} ${compared}`).toString('base64url')
