import { expect, test } from 'vitest'
import { ISSUER_ALGORITHMS, parseAllowList } from '../../../api/auth/issuer-allow-list.ts'
import { configure } from '../../../api/configuration.ts'

const good = {
  issuer: 'https://login.example.com/',
  audience: 'urn:driveaway',
  jwksUri: 'https://login.example.com/keys',
}
const rules = { ownIssuer: 'https://pricing.example.com', allowLoopbackHttp: false }
const faultsOf = (list: unknown, more = {}) => parseAllowList(JSON.stringify(list), { ...rules, ...more }).faults

test('an issuer is its name, audience and keys; algorithms and typ have defaults, all of them asymmetric', () => {
  const { issuers, faults } = parseAllowList(JSON.stringify([good]), rules)
  expect(faults).toEqual([])
  expect(issuers).toEqual([{ ...good, algorithms: ISSUER_ALGORITHMS, tokenType: 'at+jwt' }])
  expect(ISSUER_ALGORITHMS.filter((algorithm) => /^HS|none/.test(algorithm))).toEqual([])
})

const bad: [string, unknown, string][] = [
  ['that is no list', good, 'the list must be array'],
  ['without an audience', [{ ...good, audience: undefined }], "/0 must have required property 'audience'"],
  ['with a field that is not known', [{ ...good, audiance: 'x' }], '/0 must NOT have additional properties: audiance'],
  [
    'whose issuer is not https',
    [{ ...good, issuer: 'http://login.example.com' }],
    '/0/issuer must match pattern "^https://[^\\s?#]+$"',
  ],
  ['that is ourselves', [{ ...good, issuer: rules.ownIssuer }], '/0/issuer is this installation itself'],
  ['that is there twice', [good, good], '/1/issuer is listed twice'],
  [
    'whose keys are fetched by http',
    [{ ...good, jwksUri: 'http://login.example.com/keys' }],
    '/0/jwksUri must be an https URL',
  ],
  ['whose keys are at no address', [{ ...good, jwksUri: 'keys' }], '/0/jwksUri is not a URL'],
  ['whose keys are in a file', [{ ...good, jwksUri: 'file:///etc/passwd' }], '/0/jwksUri must be an https URL'],
  [
    'whose address holds credentials',
    [{ ...good, jwksUri: 'https://a:b@login.example.com/' }],
    '/0/jwksUri must contain no credentials and no fragment',
  ],
  [
    'with a symmetric algorithm',
    [{ ...good, algorithms: ['HS256'] }],
    `/0/algorithms/0 must be equal to one of the allowed values: ${ISSUER_ALGORITHMS.join(', ')}`,
  ],
]
for (const [what, list, fault] of bad) {
  test(`an entry ${what} is refused by name`, () => expect(faultsOf(list)).toEqual([fault]))
}

test('plain http is for loopback addresses alone, and only where that is switched on', () => {
  const at = (jwksUri: string) => faultsOf([{ ...good, jwksUri }], { allowLoopbackHttp: true })
  expect([at('http://127.0.0.1:3000/jwks'), at('http://[::1]:3000/jwks')]).toEqual([[], []])
  expect(at('http://localhost:3000/jwks')).toHaveLength(1)
  expect(at('http://127.0.0.1.example.com/jwks')).toHaveLength(1)
  expect(faultsOf([{ ...good, jwksUri: 'http://127.0.0.1:3000/jwks' }])).toHaveLength(1)
})

test('the program does not start with a list that has faults, and names all of them', () => {
  const list = [{ ...good, jwksUri: 'http://login.example.com/keys' }, good]
  const start = () => configure({ EXTERNAL_ISSUERS: JSON.stringify(list) })
  expect(start).toThrow(
    /EXTERNAL_ISSUERS: \/0\/jwksUri must be an https.*\n.*EXTERNAL_ISSUERS: \/1\/issuer is listed twice/,
  )
  expect(() => configure({ EXTERNAL_ISSUERS: '{' })).toThrow('EXTERNAL_ISSUERS: the list must be array')
  expect(configure({}).externalIssuers).toEqual([])
})
