import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluate } from '@marcbachmann/cel-js'
import { LuaFactory } from 'wasmoon'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const docs = join(import.meta.dirname, '../../docs/gitops')

interface Judged {
  metadata: { generation: number }
  status?: { observedGeneration?: number; conditions?: { type: string; status: string; message: string }[] }
}

const condition = (type: string, status: string, message = '') => ({ type, status, message })
const judged = (...conditions: ReturnType<typeof condition>[]): Judged => ({
  metadata: { generation: 2 },
  status: { observedGeneration: 2, conditions },
})

const ready = condition('Ready', 'True', 'published')
const refused = condition('Ready', 'False', 'PLATES is 46.20, expected 45.20')
const loading = condition('Reconciling', 'True', 'served by 1/3 API processes')

/** Each state of an object, what Argo CD is to call it, and what Flux is. */
const states: [name: string, object: Judged, argo: string, flux: string][] = [
  ['one that the operator has not seen', { metadata: { generation: 1 } }, 'Progressing', 'inProgress'],
  ['a new spec under an old status', { ...judged(ready), metadata: { generation: 3 } }, 'Progressing', 'inProgress'],
  ['one that is not served everywhere yet', judged(ready, loading), 'Progressing', 'inProgress'],
  ['one that is published and served', judged(ready, condition('Loaded', 'True')), 'Healthy', 'current'],
  ['one of which a pod starts anew', judged(ready, condition('Loaded', 'False')), 'Healthy', 'current'],
  ['one that was refused', judged(refused, condition('Loaded', 'True')), 'Degraded', 'failed'],
  ['one that awaits its attestation', judged(refused, condition('Reconciling', 'True')), 'Progressing', 'inProgress'],
  ['one that is stuck', judged(refused, condition('Stalled', 'True', 'not withdrawn')), 'Degraded', 'failed'],
]

async function argoHealthOf(object: Judged): Promise<{ status: string; message: string }> {
  const lua = await new LuaFactory().createEngine()
  try {
    lua.global.set('obj', object)
    return (await lua.doString(readFileSync(join(docs, 'rateset-health.lua'), 'utf8'))) as {
      status: string
      message: string
    }
  } finally {
    lua.global.close()
  }
}

test.each(states)('Argo CD: %s', async (_, object, argo) => {
  expect((await argoHealthOf(object)).status).toBe(argo)
})

test('Argo CD shows why a rate set was refused', async () => {
  expect((await argoHealthOf(judged(refused))).message).toBe('PLATES is 46.20, expected 45.20')
})

interface HealthCheck {
  kind: string
  inProgress: string
  failed: string
  current: string
}

const kustomization = parse(readFileSync(join(docs, 'flux-kustomization.yaml'), 'utf8')) as {
  spec: { healthCheckExprs: HealthCheck[] }
}

/** The first expression that holds, in the order in which Flux asks. */
function fluxHealthOf(check: HealthCheck, object: Judged): string | undefined {
  const facts = { metadata: toIntegers(object.metadata), status: toIntegers(object.status ?? {}) }
  return (['inProgress', 'failed', 'current'] as const).find((name) => evaluate(check[name], facts) === true)
}

/** CEL's integers are what JSON's whole numbers become in Kubernetes; the library takes them as bigint. */
const toIntegers = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeof each === 'number' ? BigInt(each) : each]))

const kinds = kustomization.spec.healthCheckExprs.map((check) => [check.kind, check] as const)

test.each(kinds)('Flux judges every state of a %s', (_, check) => {
  for (const [name, object, , flux] of states) expect([name, fluxHealthOf(check, object)]).toEqual([name, flux])
})
