import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject } from '@kubernetes/client-node'
import { parseDocument } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KINDS } from '#crds/outputs.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { collectionPathOf } from '#runtime/kube/resource-path.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { installKinds } from './install-kinds.ts'

const corpus = join(import.meta.dirname, 'corpus')
const rateSets = join(import.meta.dirname, '../../rates/sets')
let plane: ControlPlane

beforeAll(async () => {
  plane = await startControlPlane()
  await installKinds(plane.kubeConfig)
})

afterAll(() => plane.stop())

interface Specimen {
  name: string
  /** The comment in its first line: of a bad object `<path>: <message>`. */
  comment: string
  object: KubernetesObject & { kind: string }
}

function specimens(folder: string): Specimen[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'))
  return files.sort().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    // YAML 1.1, as kubectl reads it.
    const document = parseDocument(text, { version: '1.1' })
    return { name: file, comment: /^# (.*)/.exec(text)?.[1] ?? '', object: document.toJS() as Specimen['object'] }
  })
}

/** Sends an object as a client does that wants unknown fields refused; nothing is stored. */
async function refusalOf(object: KubernetesObject): Promise<string | undefined> {
  const { apiVersion = '', kind = '', metadata } = object
  const reference = { apiVersion, kind, metadata: { name: metadata?.name ?? '', namespace: 'default' } }
  const path = await collectionPathOf(plane.kubeConfig, reference)
  try {
    const query = { dryRun: 'All', fieldValidation: 'Strict' }
    await requestKube(plane.kubeConfig, { method: 'POST', path, query, body: object })
    return undefined
  } catch (error) {
    if (error instanceof KubeApiError && error.status === 422) return faultsOf(error.message)
    throw error
  }
}

/** The server's message; what it says of CEL rules that it skipped after a fault of the schema is left out. */
function faultsOf(message: string): string {
  return message.replace(
    /is invalid: \[(.*), <nil>: [^,]*some validation rules were not checked[^,]*\]$/,
    'is invalid: $1',
  )
}

const good = [...specimens(join(corpus, 'good')), ...specimens(rateSets)]
const bad = specimens(join(corpus, 'bad'))

test.each(good)('$name is accepted', async ({ object }) => {
  expect(await refusalOf(object)).toBeUndefined()
})

test.each(bad)('$name is refused for just this: $comment', async ({ comment, object }) => {
  const refusal = (await refusalOf(object)) ?? 'accepted'
  const place = /^[a-zA-Z]+(\.[a-zA-Z]+|\[\d+\])*(?=: )/.exec(comment)?.[0]
  const message = place === undefined ? comment : comment.slice(place.length + 2)
  // More than one fault would be listed in brackets.
  expect(refusal).not.toContain('is invalid: [')
  expect(refusal).toContain(` is invalid: ${place ?? '<nil>'}: `)
  expect(refusal).toContain(message)
})

test('every CEL rule has a bad object, but for those that compare with the stored one', () => {
  const shown = new Set(bad.map(({ object, comment }) => `${object.kind} ${comment.replaceAll(/\[\d+\]/g, '[]')}`))
  const rules = KINDS.flatMap(({ kind, rules }) => rules.map((rule) => ({ kind, ...rule })))
  const unshown = rules
    .filter(({ rule }) => !rule.includes('oldSelf'))
    .map(({ kind, path, message }) => (path === '.' ? `${kind} ${message}` : `${kind} ${path.slice(1)}: ${message}`))
    .filter((line) => !shown.has(line))
  expect(rules.length).toBeGreaterThan(70)
  expect(unshown).toEqual([])
})

test('a field that the schema does not know is refused', async () => {
  const { object } = good[0]!
  const path = '/apis/rates.driveaway.dev/v1alpha1/namespaces/default/showroomclients'
  const body = { ...object, spec: { ...(object as { spec?: object }).spec, colour: 'red' } }
  const query = { dryRun: 'All', fieldValidation: 'Strict' }
  await expect(requestKube(plane.kubeConfig, { method: 'POST', path, query, body })).rejects.toThrow(
    'unknown field "spec.colour"',
  )
})
