import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (field: string, text: string) =>
  check({ vehicle: { source_id: 'a', [field]: text } }).map(({ code }) => code)
const FIELDS = ['specifications_provider', 'powered_by_description']

test.each(['redbook.com.au', 'Powered by carsales.com.au', 'Data provided by https://www.redbook.com.au/', 'RedBook'])(
  '%s names a provider',
  (text) => {
    expect(FIELDS.map((field) => codesOf(field, text))).toEqual([[], []])
    if (text !== 'RedBook') expect(codesOf('description', text)).toEqual(['CONTACT_DETAILS'])
  },
)

test.each([
  ...['0412 345 678', 'redbook.com.au 0412 345 678', 'Powered by joe@joesautos.com.au', 'joe at joesautos dot com'],
  ...['Powered by us: see joesautos.com.au', 'Powered by a.com.au, b.com.au', 'bit.ly/abc', 'insta @joes'],
  ...['redbook.com.au/joes', 'See all the cars of Joe by joesautos.com.au', 'Call Joe via joesautos.com.au'],
])('%s is a contact detail beside the name of a provider', (text) => {
  expect(FIELDS.map((field) => codesOf(field, text))).toEqual([['CONTACT_DETAILS'], ['CONTACT_DETAILS']])
})

test('the name of a provider is no place for profanity or markup', () => {
  expect(codesOf('specifications_provider', 'what a cunt')).toEqual(['PROFANITY'])
  expect(codesOf('powered_by_description', '<b>RedBook</b>')).toEqual(['MARKUP'])
})
