import { spawn, type ChildProcess } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'

// The language server that the YAML extensions of editors run, spoken to as an editor does. The only schema that the
// server knows of is the one that a file names in its modeline.
interface Diagnostic {
  message: string
  range: { start: { line: number } }
}

let server: ChildProcess
let editor: MessageConnection
const waiting = new Map<string, (found: Diagnostic[]) => void>()

beforeAll(async () => {
  server = spawn(process.execPath, ['node_modules/yaml-language-server/bin/yaml-language-server', '--stdio'])
  editor = createMessageConnection(server.stdout!, server.stdin!)
  editor.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
    items.map(({ section }) =>
      section === 'yaml' ? { schemaStore: { enable: false }, validate: true, hover: true } : {},
    ),
  )
  editor.onNotification('textDocument/publishDiagnostics', (said: { uri: string; diagnostics: Diagnostic[] }) =>
    waiting.get(said.uri)?.(said.diagnostics),
  )
  editor.listen()
  const root = pathToFileURL(process.cwd()).href
  await editor.sendRequest('initialize', {
    processId: process.pid,
    rootUri: root,
    capabilities: { workspace: { configuration: true }, textDocument: { hover: {}, publishDiagnostics: {} } },
  })
  await editor.sendNotification('initialized', {})
})

afterAll(() => {
  editor.dispose()
  server.kill()
})

const uriOf = (file: string) => pathToFileURL(resolve(file)).href

/** Opens a text, and gives what the editor would mark. Each file is opened once: what is said of a closed one comes late. */
async function marked(file: string, text = readFileSync(file, 'utf8')): Promise<string[]> {
  const uri = uriOf(file)
  const found = new Promise<Diagnostic[]>((done) => waiting.set(uri, done))
  await editor.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } })
  const diagnostics = await found
  return diagnostics.map(({ message, range }) => `${range.start.line + 1}: ${message}`)
}

const sets = globSync('rates/sets/*/*.yaml')
const act = 'rates/sets/au-act/fy27.yaml'
const lines = readFileSync(act, 'utf8').split('\n')

test.each(sets)('%s names its schema in its first line', (file) => {
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(
    '# yaml-language-server: $schema=../../../crds/schemas/rateset.json',
  )
})

test.each(sets)('a language server finds no fault in %s', async (file) => {
  expect(await marked(file)).toEqual([])
})

test.each([
  ['a field that is not known', 'offers:', 'ofers:', 'Property ofers is not allowed.'],
  ['money without quotes', 'flat: "50"', 'flat: 50', 'Incorrect type. Expected "string".'],
])('a language server marks %s, at its line', async (_, from, to, message) => {
  const line = lines.findIndex((text) => text.includes(from))
  const changed = lines.with(line, lines[line]!.replace(from, to)).join('\n')
  expect(await marked(`rates/sets/au-act/${to}.yaml`, changed)).toContain(`${line + 1}: ${message}`)
})

test('a language server explains a field where the cursor is', async () => {
  const line = lines.findIndex((text) => text.includes('financialYear:'))
  const uri = uriOf('rates/sets/au-act/hover.yaml')
  const textDocument = { uri, languageId: 'yaml', version: 1, text: lines.join('\n') }
  await editor.sendNotification('textDocument/didOpen', { textDocument })
  const hover = await editor.sendRequest<{ contents: { value: string } }>('textDocument/hover', {
    textDocument: { uri },
    position: { line, character: lines[line]!.indexOf('financialYear') + 3 },
  })
  const schema = JSON.parse(readFileSync('crds/schemas/rateset.json', 'utf8')) as {
    properties: { spec: { properties: { financialYear: { description: string } } } }
  }
  expect(hover.contents.value).toContain(schema.properties.spec.properties.financialYear.description.split('\n')[0])
})
