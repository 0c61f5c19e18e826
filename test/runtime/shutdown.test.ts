import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const shutdown = new URL('../../runtime/shutdown.ts', import.meta.url).href
const log = new URL('../../runtime/log.ts', import.meta.url).href

async function program(steps: string, deadlineMs: number, signals: NodeJS.Signals[]) {
  const source = `
    import { onShutdown } from '${shutdown}'
    import { createLog } from '${log}'
    const say = (word) => process.stdout.write(word + '\\n')
    onShutdown(createLog({ name: 't', level: 'silent' }), ${steps}, { deadlineMs: ${deadlineMs} })
    setInterval(() => {}, 1000)
    say('started')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const signal = signals.shift()
    if (signal) child.kill(signal)
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, said: said.trim().split('\n') }
}

test('a signal stops the steps one after the other, and the program ends with 0', async () => {
  const steps = `[
    { name: 'a', stop: async () => { await new Promise((r) => setTimeout(r, 100)); say('a') } },
    { name: 'b', stop: () => say('b') },
  ]`
  expect(await program(steps, 5_000, ['SIGTERM'])).toEqual({ code: 0, said: ['started', 'a', 'b'] })
})

test('a step that fails does not keep the next from stopping, and the program ends with 1', async () => {
  const steps = `[{ name: 'a', stop: () => { throw new Error('no') } }, { name: 'b', stop: () => say('b') }]`
  expect(await program(steps, 5_000, ['SIGINT'])).toEqual({ code: 1, said: ['started', 'b'] })
})

test('a step that hangs is left behind at the deadline, with 1', async () => {
  const steps = `[{ name: 'a', stop: () => new Promise(() => {}) }]`
  expect(await program(steps, 200, ['SIGTERM'])).toEqual({ code: 1, said: ['started'] })
})

test('a second signal ends the program at once, with 1', async () => {
  const steps = `[{ name: 'a', stop: () => { say('a'); return new Promise(() => {}) } }]`
  expect(await program(steps, 60_000, ['SIGINT', 'SIGINT'])).toEqual({ code: 1, said: ['started', 'a'] })
})
