import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { messageOf } from '#notices/render/message.ts'
import type { Notice } from '#notices/notice.ts'
import { verified } from '#notices/signing.ts'
import { noticeWriter } from '#notices/tell.ts'
import { NOTICE_PAGE_LABEL, type NoticePage } from '#rates/published/notice-page.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { createLog } from '#runtime/log.ts'
import { followNoticePages, type NoticePages } from '../../../api/load/follow-notice-pages.ts'
import { keepPage } from '../../../operator/notices/keep-page.ts'
import { putNotices } from '../../../operator/notices/put-notices.ts'
import { startPricingServer, type PricingServer } from '../../api/pricing-server.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { applySurroundings } from '../manifests.ts'
import { openedOutbox, type OpenedOutbox } from '../../notices/opened-outbox.ts'
import { sets } from '../../rates/properties/sets.ts'

// The operator's side keeps the whole text of a notice in a real cluster, and the pricing API serves it from there.
const namespace = 'driveaway'
const log = createLog({ name: 'test', level: 'silent' })
let plane: ControlPlane
let kube: Kube
/** With the operator's rights, and no more. */
let operator: Kube
let opened: OpenedOutbox
let pages: NoticePages
let server: PricingServer

beforeAll(async () => {
  ;[plane, opened] = await Promise.all([startControlPlane(), openedOutbox()])
  kube = kubeOf(plane.kubeConfig)
  await applySurroundings(plane.kubeConfig)
  operator = kubeOf(plane.kubeConfigFor('driveaway-operator'))
  pages = followNoticePages({ kube: kubeOf(plane.kubeConfigFor('driveaway-api')), namespace, log })
  server = await startPricingServer(undefined, undefined, { noticePages: pages })
}, 120_000)
afterAll(async () => {
  await server.close()
  await pages.stop()
  await opened.close()
  await plane.stop()
})
beforeEach(() => removeAll())

const path = `/api/v1/namespaces/${namespace}/configmaps`
const stored = async () => (await listAll<V1ConfigMap>(kube, { path, labelSelector: NOTICE_PAGE_LABEL })).items
const remove = (part: V1ConfigMap) =>
  kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: part.metadata!.name!, namespace } })
const removeAll = async () => {
  for (const part of await stored()) await remove(part)
}

const lastYear = { number: 1, release: 'r1', sets: sets.filter(({ financialYear }) => financialYear !== '2026-2027') }
const newYear = { number: 2, release: 'r2', sets }
const telling = { environment: 'test', today: () => '2026-05-15', issuedAt: '2026-05-15T09:14:00.000Z' }

/** The notice of a new year of everything as a client gets it, put by the operator. */
async function announced(client: string, of: { pricingCodes?: string[]; kube?: Kube } = {}): Promise<Notice> {
  const { outbox, key } = opened
  const putter = {
    ...{ outbox, key: key.signing, telling, log, signal: new AbortController().signal, onPut: () => undefined },
    keepPage: (page: NoticePage) => keepPage({ kube: of.kube ?? operator, namespace }, page, log),
  }
  const recipient = { client, to: ['a@b.example'], ...(of.pricingCodes && { pricingCodes: of.pricingCodes }) }
  await putNotices(putter, { announced: lastYear, published: newYear }, [recipient])
  const { waiting } = (await outbox.mailboxes.read(client)).mailbox
  return verified<Notice>('notice', waiting!.token, [{ kid: key.signing.kid, key: key.signing.publicKey }])
}

const linkIn = (text: string) => /The whole text of this notice: (\S+)/.exec(text)?.[1] ?? ''
const rowsIn = (html: string) => html.match(/<tr><td>/g)?.length ?? 0

async function pageOf(link: string): Promise<{ status: number; html: string; headers: Headers }> {
  const answer = await waitFor('the page', async () => {
    const found = await fetch(link)
    return found.status === 200 && found
  })
  return { status: answer.status, html: await answer.text(), headers: answer.headers }
}

test('a mail that was cut carries a link that answers with everything, to whoever has it', async () => {
  const notice = await announced('all')
  expect(notice.more).toBeDefined()
  const { text } = messageOf(notice, { pagesUrl: server.url })
  expect(text).toMatch(/Not listed here: \d+ more changes\.\n/)
  const { html, headers } = await pageOf(linkIn(text))
  const { changes } = noticeWriter(lastYear, newYear, telling).all
  const figures = changes.filter(({ kind }) => kind !== 'set')
  expect(figures.length).toBeGreaterThan(200)
  expect(rowsIn(html)).toBe(figures.length)
  for (const name of ['Victoria', 'South Australia', 'Tasmania'])
    expect(html).toContain(`${name} 2026-27: rates are now published, from 1 July 2026.`)
  expect(html).toContain('All changes of notice 2, issued on 15 May 2026. Release r2.')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect([headers.get('content-type'), headers.get('x-robots-tag')]).toEqual(['text/html; charset=utf-8', 'noindex'])
})

test('of one page each client reads its own jurisdictions', async () => {
  const notice = await announced('victorian', { pricingCodes: ['AU_VIC'] })
  const { html } = await pageOf(linkIn(messageOf(notice, { pagesUrl: server.url }).text))
  expect(html).toContain('Victoria 2026-27')
  expect(html).toContain('Australia 2026-27')
  expect(html).not.toContain('Tasmania')
})

test('a page that is not there, or not what its name stands for, is no page: the reader is told whom to ask', async () => {
  const link = linkIn(messageOf(await announced('tampered'), { pagesUrl: server.url }).text)
  await pageOf(link)
  const [part] = await stored()
  await remove(part!)
  const { name, labels } = part!.metadata!
  const other = { ...part!.data!, 'page.json.gz': Buffer.from('nothing').toString('base64') }
  await kube.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data: other } as never)
  const gone = await waitFor('the page to go', async () => {
    const answer = await fetch(link)
    return answer.status === 404 && answer
  })
  expect(await gone.text()).toContain('The text of this notice is no longer kept. Answer the e-mail to get it.')
  for (const name of ['x', 'a'.repeat(40), '..%2f..%2fspec', '__proto__'])
    expect((await fetch(`${server.url}/notices/${name}`)).status).toBe(404)
})

test('the oldest pages make room for the newest', async () => {
  // Some 3 MB each, in several ConfigMaps, of what does not compress.
  const pageWith = (title: string): NoticePage => {
    return { title, opening: '', sections: [{ pricingCode: 'AU', html: randomBytes(2_200_000).toString('base64') }] }
  }
  const names: string[] = []
  for (const title of ['first', 'second', 'third', 'fourth']) {
    names.push((await keepPage({ kube: operator, namespace }, pageWith(title), log))!)
    // The server counts in seconds.
    const since = Math.floor(Date.now() / 1000)
    await waitFor('the next second', () => Promise.resolve(Math.floor(Date.now() / 1000) > since))
  }
  const kept = new Set((await stored()).map(({ metadata }) => metadata?.labels?.[NOTICE_PAGE_LABEL]))
  expect(names.map((name) => kept.has(name))).toEqual([false, false, true, true])
  expect((await stored()).length).toBeGreaterThan(kept.size)
  await waitFor('the last page', () => Promise.resolve((pages.find(names[3]!) as NoticePage | undefined)?.title === 'fourth'))
})

test('where the server refuses the page, the notice is put without a link; where it fails, the notice waits', async () => {
  const refusing = (status: number): Kube => ({
    ...kube,
    create: () => Promise.reject(new KubeApiError('create', { code: status, message: 'no' })),
  })
  const notice = await announced('unpaged', { kube: refusing(403) })
  expect(notice.page).toBeUndefined()
  expect(messageOf(notice, { pagesUrl: server.url }).text).toContain('Answer this mail to get the whole list.')
  await expect(announced('later', { kube: refusing(503) })).rejects.toThrow('503')
  expect((await opened.outbox.mailboxes.read('later')).mailbox).toEqual({})
})
