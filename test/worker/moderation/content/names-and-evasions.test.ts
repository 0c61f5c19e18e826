import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)

test.each([
  ...['tranny rebuilt', 'new tranny fluid', 'retarded timing', 'ignition is fine, timing retarded', 'sexy lines'],
  ...['Dicky Beach QLD', 'Cumnock NSW', 'LJ Hooker', 'L.J. Hooker', '12 Dyke St', 'Fukuda', 'spic and span inside'],
  ...['Dick’s Automotive', "Sold by Dick's Auto", 'Dick Brown & Sons', 'Part 04152-31090', 'Part no. 04465-0K390'],
  ...['VIC.AU delivered', '<SALE>', '<NEW>', '<low kms>', '<ENQUIRE NOW>', 'a <Demo> car', 'great car.App included'],
  ...['1800RPM', '1800 PETROL ENGINE', '13INCH wheels', 'radio.Insta start', '$1.0412345678'],
  ...['LOW KMS.NET PRICE $9,990', 'low kms.net price', 'ONE CAR.NET OF GST'],
  ...['DEMO.NET PRICE ONLY', 'EX-DEMO.NET PRICE', 'SAVE THOUSANDS.NET OF GST', 'below rrp.net price', 'All stock.Net price', 'IN STOCK.NET PRICE'],
  ...['Rape-seed yellow', 'rapeseed yellow'],
  ...['Spic-and-span', 'FAG wheel bearings', 'SKF and FAG hubs', 'wheel bearings (FAG)', 'Tranny flushed', '5-speed tranny'],
  ...['Tranny shifts beautifully', 'Dinette cum double bed', 'small stone chink on windscreen', 'cam retarded 4 degrees'],
  ...['DICK CEPEK tyres', 'SCAT seats', 'ASS (Auto Start Stop)', 'Auto Start Stop (ASS)', 'built in Monte Negro'],
  ...['Tranny is smooth', 'Tranny shifts smooth', 'TRANNY IS VERY SMOOTH', 'the tranny’s nice and smooth', 'Tranny runs smoothly.'],
  ...['the tranny works well', 'tranny is shifting smooth', 'its tranny is in great condition'],
])('%s passes', (description) => {
  expect(check({ vehicle: { source_id: 'a', description: `Now here: ${description}` } })).toEqual([])
})

test.each([
  ...['VIN: 4S5HAPX6145258814', 'vin TMFDP40FCKY870060, built 2019', '(JN1TASS30U0123456)', 'VIN:WF0FUKAPPAJB12345.'],
])('%s has the number of a vehicle, which spells nothing', (description) => {
  expect(check({ vehicle: { source_id: 'a', description, notes: description } })).toEqual([])
})

test.each([
  ...['4S5HAPX6145258814 fuck', 'vin 4s5hapx6fuck58814', 'FUCK4S5HAPX614525881', 'FUCKFUCKFUCKFUCKS', 'FUCKFUCKFUCKF1234', '4S5FUCK6145258814X'],
  ...['4S5FUCK61452588', '4S5FUCK614525 8814', '1234567890123FUCK', '4S5-FUCK-614525-8814'],
])('%s is profane, and no number of a vehicle', (word) => {
  expect(codesOf(`A car ${word} of old`)).toEqual(['PROFANITY'])
})

test.each([
  ...['sh*t', 'sh#t', 's**t', 'c*nt', 'f**k', 'F**KING', 'f**k’s sake', 'pussies', 'spic', 'spics', 'paki', 'wetback'],
  ...['spaz', 'poof', 'skank', 'heil hitler', 'Sieg Heil', 'a dick', 'you dick', 'tranny', 'hooker', 'dyke', 'retard'],
  ...['spic-and-spaz', 'spic and black', 'a fag', 'fag hugger', 'SKF and FAG', 'fag wheels', 'tranny', 'speedy tranny'],
  ...['tranny shirt', 'cum', 'cum bed', 'double cum', 'chink', 'chink on wheels', 'stoned chink', 'retarded', 'camp retarded'],
  ...['DICK CE', 'dick tyres', 'scat porn', 'ASS (auto)', 'ass', 'stop ass', 'negro', 'Monte the negro'],
  ...['a tranny is smooth', 'that tranny is a smooth talker', 'a tranny who is smooth', 'the tranny is smooth-talking', 'tr@nny is smooth'],
  ...['tranny is great', 'tranny works the street', 'a smooth tranny', 'she is a tranny', 'tranny is smooth, you tranny'],
  ...['rape', 'rape-shed', 'rape - seed', 'rapes-seed'],
])('%s is profane', (word) => {
  expect(codesOf(`Driven by ${word} of old`)).toEqual(['PROFANITY'])
})

test.each([
  ...['Ph.0412 345 678', 'Call Joe,0412 345 678', 'call.1300 975 707', '1800FORCARS', '1300-CARSALES', 'call 1300 CARS 4U'],
  ...['NORTHSIDE.NET', 'JOESCARS.NET PRICE', 'KMS.NET', 'KMS.NET/PRICE', 'KMS.COM PRICE'],
  ...['DEMO.NET', 'JOESDEMO.NET PRICE', 'JOES-DEMO.NET PRICE', 'DEMO.COM PRICE'],
  ...['Part 0415-231090', 'insta @joes', 'Instagram: @joes.autos', 'IG: joesautos', 'fb @joes'],
  ...['joesautos.io', 'joesautos.co', 'joesautos.app', 'joesautos.melbourne', 'bit.ly/abc', 't.me/joe', 'wa.me/61412345678'],
])('%s is a contact detail', (detail) => {
  expect(codesOf(`For more ${detail} any day`)).toEqual(['CONTACT_DETAILS'])
})

test('a word in a name of a business, a person or a place is flagged, and contact details and markup in it are refused', () => {
  const names = { name: "The Dick's Garage of Wanker's Corner", suburb: 'Fucking', address: '1 Hooker Rise' }
  const item = { vehicle: { source_id: 'a', dealer_name: 'Cunt & Sons' }, location: { source_id: 'l', ...names } }
  const flags = check(item)
  expect(flags.map(({ path, code, isFlag }) => [path, code, isFlag])).toEqual([
    ['/vehicle/dealer_name', 'PROFANITY', true],
    ...['name', 'suburb', 'address'].map((name) => [`/location/${name}`, 'PROFANITY', true]),
  ])
  const refused = { source_id: 'a', wheel_name: 'Cunt', custom_fields: [{ name: 'Cunt', value: 'x' }], town: '<b>x</b>' }
  expect(check({ vehicle: refused, location: { name: 'joe@northside.com.au' } }).map(({ isFlag }) => isFlag)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

test.each(['Carsales.com.au Pty Ltd', 'carsales.com Ltd', 'Joes.net.au PTY. LIMITED', 'joes.com.au P/L'])(
  '%s is the name of a company in a field of names, and an address elsewhere',
  (name) => {
    const codes = (field: string) => check({ vehicle: { source_id: 'a', [field]: name } }).map(({ code }) => code)
    expect(['dealer_name', 'seller', 'description'].map(codes)).toEqual([[], [], ['CONTACT_DETAILS']])
  },
)

test.each([
  ...['Carsales.com.au', 'See carsales.com.au Pty Ltd', 'Carsales.com.au Pty Ltd 0412 345 678', 'www.joes.com.au Pty Ltd'],
  ...['Joes.com.au Pty Ltd, joes.com.au', 'joe@joes.com.au Pty Ltd', 'joes.com.au/stock Pty Ltd', '1300123456.com.au Pty Ltd'],
])('%s is a contact detail in a field of names', (name) => {
  expect(check({ vehicle: { source_id: 'a', dealer_name: name } }).map(({ code }) => code)).toEqual(['CONTACT_DETAILS'])
})

test('flags never hide a fault', () => {
  const dealers = Array.from({ length: 100 }, () => ({ name: 'Cunt & Sons' }))
  const faults = check({ dealers, vehicle: { source_id: 'a', description: 'what a cunt' } })
  expect(faults.map(({ isFlag }) => isFlag)).toEqual([undefined, true, true, true, true, true])
})

test.each(['<SALE onclick=go()>', '<Font>', '<CENTER>', '<marquee>', '<x/onload>', '<SALE><b>x', '<my-element>', '</SALE>'])(
  '%s is markup',
  (markup) => {
    expect(codesOf(`A good car ${markup} for you`)).toEqual(['MARKUP'])
  },
)
