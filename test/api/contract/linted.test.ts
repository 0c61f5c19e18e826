import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { readContract } from '../../../api/http/contract.ts'

// Both documents as GET /spec serves them, before the linters that integrators use: the recommended rules, none switched off.
const APIS = ['pricing', 'inventory']

interface Linted {
  info: { license: { url?: string } }
  paths: Record<string, Record<string, { operationId?: string; responses: Record<string, { description?: string }> }>>
}

async function servedBy(api: string): Promise<Linted> {
  const { document } = await readContract(new URL(`../../../api/${api}/openapi.yaml`, import.meta.url))
  return structuredClone(document) as Linted
}

const spectral = new spectralCore.Spectral()
// The two packages do not agree about the type of a rule set.
spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] })

/** Errors, warnings and hints, each with its place. */
async function spectralFaults(document: object): Promise<string[]> {
  const found = await spectral.run(JSON.stringify(document))
  return found.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)
}

async function redoclyFaults(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/spec.json', config })
  return found.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
}

test.each(APIS)('%s: Spectral finds no error and no warning', async (api) => {
  expect(await spectralFaults(await servedBy(api))).toEqual([])
})

test.each(APIS)('%s: Redocly finds no error and no warning', async (api) => {
  expect(await redoclyFaults(await servedBy(api))).toEqual([])
})

test('both look at the document: what is broken in one is found', async () => {
  const document = await servedBy('inventory')
  const { post } = document.paths['/batch']!
  delete post!.operationId
  delete post!.responses['201']!.description
  delete document.info.license.url
  expect(await spectralFaults(document)).toEqual([
    expect.stringMatching(/^operation-operationId at paths\/\/batch\/post: /),
    expect.stringMatching(/^oas3-schema at paths\/\/batch\/post\/responses\/201: .*description/),
  ])
  const redocly = (await redoclyFaults(document)).join('\n')
  for (const rule of ['struct', 'operation-operationId', 'info-license-strict'])
    expect(redocly).toContain(`${rule} at `)
})
