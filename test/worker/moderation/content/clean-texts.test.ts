import { expect, test } from 'vitest'
import { createCleanTexts } from '../../../../worker/moderation/content/clean-texts.ts'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

test('a text that is clean as a code is still refused where people read it', () => {
  const { check } = createContentModerator()
  const phone = '0491 570 156'
  expect(check({ vehicle: { source_id: 'a', stock_code: phone } })).toEqual([])
  expect(check({ vehicle: { source_id: 'b', colour: phone } })).toMatchObject([{ path: '/vehicle/colour' }])
})

test('a refused text is refused again', () => {
  const { check } = createContentModerator()
  const item = { vehicle: { source_id: 'a', colour: '<b>red</b>' } }
  expect(check(item)).toMatchObject([{ code: 'MARKUP' }])
  expect(check(item)).toMatchObject([{ code: 'MARKUP' }])
})

test('long texts are not remembered, and short ones only so many', () => {
  const clean = createCleanTexts()
  const prose = (text: string) => ({ kind: 'prose', path: '/vehicle/make', text }) as const
  clean.add(prose('x'.repeat(65)))
  expect(clean.has(prose('x'.repeat(65)))).toBe(false)
  clean.add(prose('Kia'))
  expect(clean.has(prose('Kia'))).toBe(true)
  for (let number = 0; number < 20_000; number += 1) clean.add(prose(`stock ${number}`))
  expect(clean.has(prose('Kia'))).toBe(false)
  expect(clean.has(prose('stock 19999'))).toBe(true)
})
