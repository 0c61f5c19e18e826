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

test.each(['drive.com.au Car of the Year', 'ANCAP.com.au', 'rated by whichcar.com.au, 2026', '(ancap.com.au)'])(
  '%s quotes a site that leads to no dealer',
  (words) => {
    expect(codesOf('description', `A safe car: ${words}. Come in`)).toEqual([])
  },
)

test.each([
  ...[
    'drive.com.au/joes',
    'https://ancap.com.au',
    'www.ancap.com.au',
    'joe@drive.com.au',
    'joe at drive.com.au',
    'joe @ drive.com.au',
    'find us on drive.com.au',
    'Visit drive.com.au',
  ],
  ...[
    'joes.ancap.com.au',
    'joes-drive.com.au',
    'drive.com.au.joes.net',
    'drive.com.au-joes.net',
    'drive.com.au, joes.com.au',
  ],
  ...['carsales.com.au', 'drive.com.au?joes', 'drive.com'],
])('%s is an address, whatever site it is on', (address) => {
  expect(codesOf('description', `For more ${address} any day`)).toEqual(['CONTACT_DETAILS'])
})
