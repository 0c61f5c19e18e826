import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { attachRules } from '#crds/attach.ts'
import { driftIn } from '#crds/generate.ts'
import { definitionOf } from '#crds/kind.ts'
import { KINDS, outputs } from '#crds/outputs.ts'
import { structural, type StructuralSchema } from '#crds/structural.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

test('the committed manifests and reference pages are what the schemas make', async () => {
  await expect(run(process.execPath, ['crds/generate.ts', '--check'], { cwd: root })).resolves.toBeDefined()
})

test('a file that was edited by hand or is missing is named', () => {
  const folder = temporaryDirectory('drift')
  for (const [path, text] of outputs()) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    if (path !== 'docs/reference/rateset.md') writeFileSync(join(folder.path, path), text)
  }
  const edited = join(folder.path, 'crds/manifests/showroomclients.yaml')
  writeFileSync(edited, readFileSync(edited, 'utf8').replace('maxItems: 500', 'maxItems: 501'))
  expect(driftIn(folder.path).sort()).toEqual(['crds/manifests/showroomclients.yaml', 'docs/reference/rateset.md'])
  folder.remove()
})

test('no field of a spec has a default, so that what is stored is what was sent', () => {
  for (const [path, text] of outputs()) if (path.endsWith('.yaml')) expect(text).not.toMatch(/^ *default:/m)
})

test('a list is atomic, a record becomes additionalProperties, a constant a list of one', () => {
  const text = Type.String({ maxLength: 5 })
  const schema = Type.Object({
    list: Type.Array(text, { maxItems: 2 }),
    map: Type.Record(Type.String(), text, { maxProperties: 3 }),
    word: Type.Optional(Type.Literal('a')),
  })
  expect(structural(schema)).toEqual({
    type: 'object',
    required: ['list', 'map'],
    properties: {
      list: { type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'atomic', items: { type: 'string', maxLength: 5 } },
      map: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', maxLength: 5 } },
      word: { type: 'string', enum: ['a'] },
    },
  })
})

test('a text, a list or a map without an upper bound is an error that names its place', () => {
  const bounded = Type.String({ maxLength: 5 })
  expect(() => structural(Type.Object({ name: Type.String() }), '.spec')).toThrow('.spec.name: maxLength is missing')
  expect(() => structural(Type.Object({ a: Type.Array(bounded) }), '.spec')).toThrow('.spec.a: maxItems is missing')
  expect(() => structural(Type.Record(Type.String(), bounded), '.spec')).toThrow('.spec: maxProperties is missing')
})

test('a union, which a structural schema cannot say, is an error', () => {
  expect(() => structural(Type.Union([Type.Boolean(), Type.Integer()]), '.spec.x')).toThrow('.spec.x')
})

test('a rule is attached where its path leads, and a path that leads nowhere is an error', () => {
  const schema = structural(Type.Object({ list: Type.Array(Type.Object({}), { maxItems: 2 }) }))
  const placed = { rule: 'true', message: 'always' }
  const attached = attachRules(schema, [{ path: '.list[]', ...placed }])
  expect(attached.properties?.['list']?.items?.['x-kubernetes-validations']).toEqual([placed])
  expect(() => attachRules(schema, [{ path: '.lists[]', ...placed }])).toThrow('the schema has no lists there')
})

test('every field of every kind says what it means', () => {
  const silent: string[] = []
  const visit = ({ properties = {}, items }: StructuralSchema, path: string) => {
    if (items) visit(items, `${path}[]`)
    for (const [name, field] of Object.entries(properties)) {
      if (!field.description) silent.push(`${path}.${name}`)
      visit(field, `${path}.${name}`)
    }
  }
  for (const kind of KINDS) {
    const { spec, status } = definitionOf(kind).spec.versions[0]!.schema.openAPIV3Schema.properties!
    visit(spec!, `${kind.kind} spec`)
    visit(status!, `${kind.kind} status`)
  }
  expect(silent).toEqual([])
})
