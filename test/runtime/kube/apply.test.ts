import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isConflict } from '#runtime/kube/api-error.ts'
import { applyObject, deleteObject, getObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'

let plane: ControlPlane

beforeAll(async () => {
  plane = await startControlPlane()
})

afterAll(() => plane.stop())

const reference = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
})
const config = (name: string, data: Record<string, string>): V1ConfigMap => ({ ...reference(name), data })
const apply = (object: V1ConfigMap, options = {}) =>
  applyObject(plane.kubeConfig, object, { fieldManager: 'ours', ...options })

test('apply creates, owns exactly what it sent, and gives up what it no longer sends', async () => {
  const created = await apply(config('owned', { a: '1', b: '2' }))
  expect(created.metadata?.managedFields).toMatchObject([
    {
      manager: 'ours',
      operation: 'Apply',
      fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {} } },
    },
  ])
  expect((await apply(config('owned', { a: '1' }))).data).toEqual({ a: '1' })
})

test('what apply returned can be changed and applied again, although it has managedFields', async () => {
  const created = await apply(config('again', { a: '1' }))
  expect((await apply({ ...created, data: { a: '2' } })).data).toEqual({ a: '2' })
})

test("another manager's field is a conflict without force, and taken over with it", async () => {
  await apply(config('contested', { a: 'ours' }))
  const theirs = config('contested', { a: 'theirs' })
  const refused = await apply(theirs, { fieldManager: 'other' }).catch((error: unknown) => error)
  expect(isConflict(refused)).toBe(true)
  expect((await apply(theirs, { fieldManager: 'other', force: true })).data).toEqual({ a: 'theirs' })
})

test('an apply to a version that is no longer the stored one is refused', async () => {
  const first = await apply(config('versioned', { a: '1' }))
  const { resourceVersion } = first.metadata ?? {}
  await apply(config('versioned', { a: '2' }))
  const late = config('versioned', { a: '3' })
  const refused = await apply({ ...late, metadata: { ...late.metadata, resourceVersion } }).catch(
    (error: unknown) => error,
  )
  expect(isConflict(refused)).toBe(true)
  expect((await getObject<V1ConfigMap>(plane.kubeConfig, reference('versioned')))?.data).toEqual({ a: '2' })
})

test('get answers undefined for what is not there, and delete says whether there was something', async () => {
  expect(await getObject(plane.kubeConfig, reference('absent'))).toBeUndefined()
  await apply(config('present', {}))
  expect(await deleteObject(plane.kubeConfig, reference('present'))).toBe(true)
  expect(await deleteObject(plane.kubeConfig, reference('present'))).toBe(false)
})

test('delete spares an object of another uid or version', async () => {
  const { metadata } = await apply(config('spared', {}))
  const changed = await apply(config('spared', { a: '1' }))
  for (const preconditions of [
    { uid: 'another' },
    { uid: metadata?.uid, resourceVersion: metadata?.resourceVersion },
  ]) {
    const refused = await deleteObject(plane.kubeConfig, reference('spared'), preconditions as object).catch(
      (error: unknown) => error,
    )
    expect(isConflict(refused)).toBe(true)
  }
  const { uid, resourceVersion } = changed.metadata as { uid: string; resourceVersion: string }
  expect(await deleteObject(plane.kubeConfig, reference('spared'), { uid, resourceVersion })).toBe(true)
})

test('a kind that is installed after the first look is found, and one that is not has a clear error', async () => {
  const widget = { apiVersion: 'test.driveaway.dev/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } }
  const gadget = { ...widget, kind: 'Gadget' }
  await expect(getObject(plane.kubeConfig, widget)).rejects.toThrow('does not serve test.driveaway.dev/v1')
  await installKind('test.driveaway.dev', 'widgets', 'Widget')
  expect(await untilServed(() => applyObject(plane.kubeConfig, widget, { fieldManager: 'ours' }))).toMatchObject(widget)
  await expect(getObject(plane.kubeConfig, gadget)).rejects.toThrow('no kind Gadget in test.driveaway.dev/v1')
  await installKind('test.driveaway.dev', 'gadgets', 'Gadget')
  expect(await untilServed(() => applyObject(plane.kubeConfig, gadget, { fieldManager: 'ours' }))).toMatchObject(gadget)
})

test('the status is applied apart from the spec', async () => {
  await installKind('status.driveaway.dev', 'reports', 'Report')
  const metadata = { name: 's', namespace: 'default' }
  const report = { apiVersion: 'status.driveaway.dev/v1', kind: 'Report', metadata }
  await untilServed(() => applyObject(plane.kubeConfig, report, { fieldManager: 'ours' }))
  const reported = { ...report, status: { phase: 'done' }, spec: { ignored: true } }
  const after = await applyObject(plane.kubeConfig, reported, { fieldManager: 'status', subresource: 'status' })
  expect(after).toMatchObject({ status: { phase: 'done' } })
  expect(after).not.toHaveProperty('spec')
})

function installKind(group: string, plural: string, kind: string) {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } }
  return requestKube(plane.kubeConfig, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind },
        versions: [{ ...version, schema: { openAPIV3Schema: anything } }],
      },
    },
  })
}

/** A new kind takes a moment until it is served. */
async function untilServed<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 100; ; tries -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
