import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startLeaderElection, type LeaderElection, type LeaderElectionOptions } from '#runtime/kube/leader-election.ts'
import type { Lease } from '#runtime/kube/lease-record.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { createLog } from '#runtime/log.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'

const log = createLog({ name: 'test', level: 'silent' })
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
let plane: ControlPlane
let running: LeaderElection[] = []

beforeAll(async () => {
  plane = await startControlPlane()
})

afterEach(async () => {
  await Promise.all(running.map((election) => election.stop()))
  running = []
})

afterAll(() => plane.stop())

function campaign(name: string, options: Partial<LeaderElectionOptions> = {}) {
  const terms: { signal: AbortSignal; ended: boolean }[] = []
  const election = startLeaderElection({
    ...{ kube: kubeOf(plane.kubeConfig), namespace: 'default', name, identity: 'test', log },
    ...{ leaseMs: 2_000, renewDeadlineMs: 1_200, retryMs: 200 },
    lead: async (signal) => {
      const term = { signal, ended: false }
      terms.push(term)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      term.ended = true
    },
    ...options,
  })
  running.push(election)
  return { election, terms }
}

const readLease = (name: string) => requestKube<Lease>(plane.kubeConfig, { path: `${leases}/${name}` })

function writeLease(name: string, spec: Lease['spec'], existing?: Lease) {
  return requestKube<Lease>(plane.kubeConfig, {
    method: existing ? 'PUT' : 'POST',
    path: existing ? `${leases}/${name}` : leases,
    body: { metadata: existing?.metadata ?? { name }, spec },
  })
}

test.each([1, 2, 10])('a lease of %i s, of which parts are no whole milliseconds, is led', async (seconds) => {
  const leaseMs = seconds * 1000
  const { election } = campaign(`of-${seconds}`, {
    leaseMs,
    renewDeadlineMs: (leaseMs * 2) / 3,
    retryMs: leaseMs / 7.5,
  })
  await waitFor('the leader', () => election.isLeader())
})

test('of three candidates one leads; when it stops the next leads at once, and never two at a time', async () => {
  const candidates = [campaign('three'), campaign('three'), campaign('three')]
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, candidates.filter(({ election }) => election.isLeader()).length)
  }, 2)
  const leader = () => candidates.find(({ election }) => election.isLeader())
  const first = await waitFor('a leader', leader)
  await sleep(3_000)
  expect(leader()).toBe(first)
  const stoppedAt = performance.now()
  await first.election.stop()
  expect(first.terms.map(({ ended }) => ended)).toEqual([true])
  await waitFor('the next leader', leader)
  // Freed, not run out: sooner than the lease.
  expect(performance.now() - stoppedAt).toBeLessThan(1_500)
  clearInterval(watching)
  expect(most).toBe(1)
})

test('the lease carries times with six decimals and counts the changes of its holder', async () => {
  const one = campaign('recorded')
  await waitFor('the leader', () => one.election.isLeader())
  const { spec } = await readLease('recorded')
  expect(spec?.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  expect(spec).toMatchObject({ holderIdentity: one.election.identity, leaseDurationSeconds: 2, leaseTransitions: 0 })
  await one.election.stop()
  expect((await readLease('recorded')).spec?.holderIdentity ?? '').toBe('')
  const two = campaign('recorded')
  await waitFor('the second leader', () => two.election.isLeader())
  expect((await readLease('recorded')).spec?.leaseTransitions).toBe(1)
})

test('a dead holder is replaced after its whole lease, as seen here', async () => {
  const longAgo = '2001-01-01T00:00:00.000000Z'
  const dead = { holderIdentity: 'dead', leaseDurationSeconds: 2, acquireTime: longAgo, renewTime: longAgo }
  await writeLease('orphaned', dead)
  const startedAt = performance.now()
  const { election } = campaign('orphaned')
  await waitFor('the leader', () => election.isLeader())
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000)
})

test('a holder whose clock is wrong, but who renews, is left alone', async () => {
  const spec = { holderIdentity: 'other', leaseDurationSeconds: 1, acquireTime: '2001-01-01T00:00:00.000000Z' }
  let lease = await writeLease('clocks', { ...spec, renewTime: '2001-01-01T00:00:00.000000Z' })
  const { election, terms } = campaign('clocks')
  for (let nth = 10; nth < 18; nth += 1) {
    await sleep(300)
    lease = await writeLease('clocks', { ...spec, renewTime: `2001-01-01T00:00:${nth}.000000Z` }, lease)
  }
  expect(terms).toEqual([])
  expect(election.holder()).toBe('other')
})

test('a leader that cannot renew steps down before its lease ends, and leads again when it can', async () => {
  const { election, terms } = campaign('away')
  await waitFor('the leader', () => election.isLeader())
  const aborted = new Promise<number>((resolve) =>
    terms[0]?.signal.addEventListener('abort', () => resolve(performance.now())),
  )
  const stoppingAt = performance.now()
  await plane.stopApiServer()
  const stoppedAt = performance.now()
  expect((await aborted) - stoppingAt).toBeGreaterThan(500)
  expect((await aborted) - stoppedAt).toBeLessThan(2_000)
  expect(election.isLeader()).toBe(false)
  await plane.startApiServer()
  await waitFor('a second term', () => election.isLeader(), { timeoutMs: 15_000 })
  expect(terms.map(({ ended }) => ended)).toEqual([true, false])
})

test('a process that was frozen past its deadline knows that it does not lead', async () => {
  const { election, terms } = campaign('frozen')
  await waitFor('the leader', () => election.isLeader())
  const until = performance.now() + 1_300
  while (performance.now() < until);
  expect(election.isLeader()).toBe(false)
  await waitFor('a second term', () => terms.length === 2)
  expect(terms[0]?.signal.aborted).toBe(true)
})

test('a leader whose lease another has taken stops within a retry', async () => {
  const { election, terms } = campaign('stolen')
  await waitFor('the leader', () => election.isLeader())
  const stolen = async () => {
    const lease = await readLease('stolen')
    return writeLease('stolen', { ...lease.spec, holderIdentity: 'thief', leaseDurationSeconds: 60 }, lease)
  }
  await waitFor('the theft', () => stolen().catch(() => undefined))
  await waitFor('the end of the term', () => terms[0]?.ended, { timeoutMs: 1_000 })
  expect(election.isLeader()).toBe(false)
  await election.stop()
  expect((await readLease('stolen')).spec?.holderIdentity).toBe('thief')
})

test('work that fails does not end the campaign, and times that make no sense are refused', async () => {
  const lead = () => Promise.reject(new Error('no'))
  const { election } = campaign('failing', { lead })
  await waitFor('the leader', () => election.isLeader())
  await sleep(500)
  expect(election.isLeader()).toBe(true)
  expect(() => campaign('failing', { renewDeadlineMs: 2_000 })).toThrow(RangeError)
})
