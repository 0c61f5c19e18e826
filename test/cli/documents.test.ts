import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../cli/commands.ts'
import { driveaway } from './driveaway.ts'

interface Workflow {
  jobs: { rates: { steps: { name?: string; run?: string }[] } }
}

/** The calls of driveaway in a text of shell, without what the shell does with them. */
const callsIn = (text: string): string[][] =>
  [...text.matchAll(/^\s*(?:npx |\.\/)driveaway (.+)$/gm)].map(([, call = '']) =>
    call
      .replace(/ *>.*$/, '')
      .replaceAll('"', '')
      .replace('$BASE', 'HEAD')
      .split(' '),
  )

const shellOf = (markdown: string) => [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code).join('')

const workflow = parse(readFileSync('docs/examples/rates-pull-request.yaml', 'utf8')) as Workflow
const steps = workflow.jobs.rates.steps.flatMap(({ run }) => (run === undefined ? [] : [run])).join('\n')
const page = readFileSync('docs/cli.md', 'utf8')

test.each([...callsIn(steps), ...callsIn(shellOf(page))].map((args) => [args.join(' '), args] as const))(
  'driveaway %s, as the documents have it, is a call that works',
  { timeout: 300_000 },
  async (_, args) => {
    const { status, stderr } = await driveaway(args)
    // A day without rates is an answer of coverage, not a wrong call.
    expect([0, args[0] === 'coverage' ? 1 : 0], stderr).toContain(status)
  },
)

test('the page of the command has every command', () => {
  const missing = Object.keys(commands).filter((name) => !page.includes(`driveaway ${name}`))
  expect(missing).toEqual([])
})
