import { expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'

test('a secret never reaches the log, at the top or inside of what is logged', () => {
  const lines: string[] = []
  const log = createLog({ name: 'api' }, { write: (line) => void lines.push(line) })
  const secret = 'hunter2-hunter2'
  log.info(
    { clientSecret: secret, body: { client_secret: secret }, req: { headers: { authorization: secret } } },
    'asked',
  )
  expect(lines.join('')).not.toContain(secret)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', name: 'api', msg: 'asked' })
})

test('a level that is too low is not written', () => {
  const lines: string[] = []
  const log = createLog({ name: 'api', level: 'warn' }, { write: (line) => void lines.push(line) })
  log.info('quiet')
  log.warn('loud')
  expect(lines).toHaveLength(1)
})
