import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { STATUS_OF_CODE } from '../../../api/errors.ts'

// "125 of 179 properties have no description": the documents, read without a server.
type Node = Record<string, unknown>
interface Document {
  paths: Record<string, Record<string, Node & { responses: Record<string, Node>; parameters?: Node[] }>>
  components: { schemas: Record<string, Node>; parameters?: Record<string, Node>; responses: Record<string, Node> }
}
const APIS = ['pricing', 'inventory']
const documentOf = (api: string) => parse(readFileSync(`api/${api}/openapi.yaml`, 'utf8')) as Document

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a reference stands for. */
function resolved(node: Node, document: Document): Node {
  const ref = node['$ref'] as string | undefined
  if (ref === undefined) return node
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Node)[part], document) as Node
}

/** Every object of a document that describes something, with its path; examples are values, not descriptions. */
function walk(value: unknown, path: string, visit: (node: Node, path: string) => void): void {
  if (Array.isArray(value)) return value.forEach((each, at) => walk(each, `${path}[${at}]`, visit))
  if (!isNode(value)) return
  visit(value, path)
  for (const [key, each] of Object.entries(value)) {
    if (!['example', 'examples', 'default', 'enum'].includes(key)) walk(each, `${path}/${key}`, visit)
  }
}

/** Every operation with its name, such as `get /v1/rules`. */
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, name: `${method} ${path}`, operation })),
  )

const isSaid = (node: Node) => typeof node['description'] === 'string' && node['description'].length > 5

test.each(APIS)('%s: every property of every schema has a description', (api) => {
  const document = documentOf(api)
  const silent: string[] = []
  let properties = 0
  walk(document, '', (node, path) => {
    if (path.endsWith('/properties') || !isNode(node['properties'])) return
    for (const [name, property] of Object.entries(node['properties'])) {
      properties += 1
      if (!isSaid(property as Node) && !isSaid(resolved(property as Node, document))) silent.push(`${path}.${name}`)
    }
  })
  expect(silent).toEqual([])
  expect(properties).toBeGreaterThan(90)
})

test.each(APIS)('%s: every operation, parameter, header and answer has a description', (api) => {
  const document = documentOf(api)
  const silent: string[] = []
  for (const { name, operation } of operationsOf(document)) {
    const parts = [operation, ...(operation.parameters ?? []), ...Object.values(operation.responses)]
    const headers = parts.flatMap((part) => Object.values((resolved(part, document)['headers'] as Node) ?? {}))
    const mute = [...parts, ...(headers as Node[])].filter((part) => !isSaid(resolved(part, document)))
    silent.push(...mute.map((part) => `${name}: ${JSON.stringify(part).slice(0, 80)}`))
  }
  expect(silent).toEqual([])
})

test.each(APIS)('%s: the codes of an answer have its status, and every refusal names its codes', (api) => {
  const document = documentOf(api)
  for (const { path, operation } of operationsOf(document)) {
    const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    for (const [status, response] of path === '/oauth/token' ? [] : refusals) {
      const codes = resolved(response, document)['x-codes'] as (keyof typeof STATUS_OF_CODE)[] | undefined
      const statuses = new Set<number>((codes ?? []).map((code) => STATUS_OF_CODE[code]))
      expect([path, status, [...statuses]]).toEqual([path, status, [Number(status)]])
    }
  }
})

test.each(APIS)('%s: every component is used', (api) => {
  const document = documentOf(api)
  const text = JSON.stringify(document)
  const named = Object.entries(document.components as unknown as Record<string, Node>)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`))
  expect(named.filter((ref) => !text.includes(`"${ref}"`))).toEqual([])
})
