import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { follow, type Step } from './follow.ts'
import { blocksOf, commandsOf, editsOf, filesOf, looksLike } from './page.ts'
import { startShell, terminalEnvironment } from './shell.ts'

const folder = temporaryDirectory('page')
const shell = startShell(folder.path, terminalEnvironment())
afterAll(async () => {
  await shell.close()
  folder.remove()
})

/** Follows a page of one block of shell, and perhaps of what it prints. */
function followed(commands: string, steps: Step[], printed?: string): Promise<void> {
  const below = printed === undefined ? '' : `\n\`\`\`text\n${printed}\n\`\`\`\n`
  writeFileSync(join(folder.path, 'page.md'), `# A page\n\n\`\`\`sh\n${commands}\n\`\`\`\n${below}`)
  return follow({ page: 'page.md', shell, steps, folder: folder.path })
}

test('a command that its test does not know fails the page, and so does a step that is not on it', async () => {
  await expect(followed('echo one\necho two', [{ begins: 'echo one' }])).rejects.toThrow(
    'page.md:4 has a command that its test does not know here: echo two',
  )
  await expect(followed('echo one', [{ begins: 'echo one' }, { begins: 'echo two' }])).rejects.toThrow('echo two')
})

test('a command that fails fails the page, with what it wrote', async () => {
  await expect(followed('ls ./nothing', [{ begins: 'ls' }])).rejects.toThrow(/ls \.\/nothing\nended with 2\n.*nothing/)
})

test('what a page prints below its commands is what they print', async () => {
  const steps = [{ begins: 'NAME=' }, { begins: 'alias' }, { begins: 'greet' }]
  await followed('NAME=Ada   # kept\nalias greet=echo\ngreet "Hello $NAME"', steps, 'Hello Ada')
  await expect(followed('NAME=Ada\nalias greet=echo\ngreet "Hello $NAME"', steps, 'Hello Bob')).rejects.toThrow('Ada')
})

test('a command that does not end in time is named', async () => {
  const idle = startShell(folder.path, terminalEnvironment(), 100)
  await expect(idle.run('sleep 1')).rejects.toThrow('sleep 1\ndid not end in 100 ms')
  await idle.close()
})

test('commands go on over lines as the shell reads them; comments are none', () => {
  expect(commandsOf("# first\na |\n  b\nc \\\n  d\nE='{\n}'\n\nf # and g\n")).toEqual([
    'a |\n  b',
    'c \\\n  d',
    "E='{\n}'",
    'f # and g',
  ])
  expect(() => commandsOf('a |\n')).toThrow('wait for more')
})

test('only what stands right below a block of shell is its output', () => {
  const page = '```sh\na\n```\n\n```json\n1\n```\n\n1. one\n\n   ```sh\n   b\n   ```\n\nthen\n\n```json\n2\n```\n'
  expect(blocksOf(page)).toEqual([
    { line: 2, commands: ['a'], printed: '1\n' },
    { line: 12, commands: ['b'], printed: undefined },
  ])
})

test('in a console what follows the prompt is typed, and the rest is printed', () => {
  const page = '```console\n$ a \\\n  b\none\ntwo\n$ c\n```\n'
  expect(blocksOf(page)).toEqual([
    { line: 2, commands: ['a \\\n  b'], printed: 'one\ntwo' },
    { line: 2, commands: ['c'], printed: '' },
  ])
})

test('a block that begins with the name of a file is that file', () => {
  expect(filesOf('```yaml\n# a.yaml\nb: 1\n```\n\n```yaml\n# some words\n```\n\n```js\n// c.mjs\nd()\n```\n')).toEqual([
    { name: 'a.yaml', text: '# a.yaml\nb: 1\n' },
    { name: 'c.mjs', text: '// c.mjs\nd()\n' },
  ])
})

test.each([
  ['a  b\n', 'a   b', true],
  ['a b\n', 'a …', true],
  ['a b\nc\n', 'a …', false],
  ['x\ny\na\n', '…\na', true],
  ['x\na\ny\n', '…\na', false],
  ['[1.5]\n', '[1x5]', false],
  ['', '…', true],
])('%j against %j on the page: %s', (output, printed, expected) => {
  expect(looksLike(output, printed)).toBe(expected)
})

test('an edit of a page is a text, the one in its place, and where', () => {
  expect(editsOf('```diff\n--- a.yaml\n-one\n+two\n-three\n+four\n--- b\n-x: 1\n+x: 2\n```\n')).toEqual([
    { path: 'a.yaml', from: 'one', to: 'two' },
    { path: 'a.yaml', from: 'three', to: 'four' },
    { path: 'b', from: 'x: 1', to: 'x: 2' },
  ])
})
