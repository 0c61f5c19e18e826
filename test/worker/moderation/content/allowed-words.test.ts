import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const described = (description: string) => ({ vehicle: { source_id: 'a', description } })

test.each([
  ['Cunt Motors has it', ['cunt motors']],
  ['By ＤＩＣＫ, with a dick.', ['Dick']],
  ['Dick Wanker, of Wanker’s Corner', ['Dick', 'Dick Wanker', 'wanker’s']],
  ['a $hit-box (new)', ['$hit-box']],
])('%s: %j are no profanity', (description, words) => {
  const { check } = createContentModerator()
  expect(check(described(description))).toMatchObject([{ code: 'PROFANITY' }])
  expect(check(described(description), words)).toEqual([])
})

test.each([
  ['what a dickhead', ['dick']],
  ['Dick and a wanker', ['Dick']],
  ['a wanker', ['', '\u200b', '.*']],
])('%s: %j allow nothing else', (description, words) => {
  expect(createContentModerator().check(described(description), words)).toMatchObject([{ code: 'PROFANITY' }])
})

test.each([
  ['Wanker’s Corner', "Wanker's Corner"],
  ["Wanker's Corner", 'Wanker’s Corner'],
  ["Wanker's Corner", 'Wanker‘s Corner, Wankerʼs Corner'],
  ['Cunt Motors', 'Cunt\nMotors, Cunt  Motors, Cunt\u00a0Motors'],
  ['Cunt\u00a0\u00a0Motors', 'Cunt Motors'],
  ['Cunt-Motors', 'Cunt‑Motors, Cunt–Motors, Cunt‐Motors'],
  ['Cunt–Motors', 'Cunt-Motors'],
  [' Cunt Motors ', 'Cunt Motors'],
  ['Wanker', 'Wankerʼs Garage'],
])('%j allows %j, whatever the form of its signs', (word, description) => {
  const { check } = createContentModerator()
  expect(check(described(description))).toMatchObject([{ code: 'PROFANITY' }])
  expect(check(described(description), [word])).toEqual([])
})

test.each([
  ['Cunt Motors', 'CuntMotors'],
  ['Cunt Motors', 'Cunt-Motors'],
  ['Wanker’s', 'Wankers'],
])('%j does not allow %j', (word, description) => {
  expect(createContentModerator().check(described(description), [word])).toMatchObject([{ code: 'PROFANITY' }])
})

test('a word that is allowed hides no contact detail, no markup, and no flag of another name', () => {
  const { check } = createContentModerator()
  const words = ['wanker', 'Wanker’s']
  const codes = (description: string) => check(described(description), words).map(({ code }) => code)
  expect(codes('wanker@wanker.com.au')).toEqual(['CONTACT_DETAILS'])
  expect(codes('<b>wanker</b>')).toEqual(['MARKUP'])
  const dealers = { vehicle: { source_id: 'a', dealer: 'Wanker’s Garage' }, location: { name: 'The Cunt' } }
  expect(check(dealers, words)).toMatchObject([{ path: '/location/name', isFlag: true }])
})

test('what one client may use is refused to the others', () => {
  const { check } = createContentModerator()
  const item = described('Wanker Motors, at the corner where everybody has been buying cars for forty years')
  expect(check(item, ['wanker'])).toEqual([])
  expect(check(item)).toMatchObject([{ code: 'PROFANITY' }])
  expect(check(item, ['other'])).toMatchObject([{ code: 'PROFANITY' }])
})
