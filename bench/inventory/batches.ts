import type { Asset, Batch, Item } from '../../inventory/batch.ts'

export const ITEMS = 100

/** A batch of a hundred vehicles, with about as much text as a dealer writes. */
export function batchOfVehicles(number: number): Batch {
  const items = Array.from({ length: ITEMS }, (_, index) => vehicle(`V-${number}-${index}`, gallery()))
  return { source_name: 'bench', items, moderate_images: false }
}

function gallery(): Asset[] {
  return Array.from({ length: 8 }, (_, order) => ({
    type: 'image',
    placement: order === 0 ? 'featured' : 'gallery',
    order,
    src: `https://images.northside.example/stock/${order}.jpg`,
  }))
}

const MAKES = ['Kia EV5', 'Toyota RAV4', 'Ford Ranger', 'Mazda CX-5', 'BYD Seal', 'Isuzu D-MAX', 'Tesla Model Y']
const COLOURS = ['Iceberg Green', 'Glacier White', 'Ebony Black', 'Shadow Grey', 'Sunset Red']

/** Makes and colours repeat as in real batches; no two descriptions are equal. */
function vehicle(sourceId: string, assets: readonly Asset[]): Item {
  const number = Number.parseInt(sourceId.replace(/\D/g, ''), 10)
  const [make = '', model = ''] = MAKES[number % MAKES.length]?.split(' ') ?? []
  const colour = COLOURS[number % COLOURS.length] ?? ''
  const description =
    `Stock ${sourceId}: a ${colour} ${model} with room for five and a boot that takes a pram, the shopping and the dog. ` +
    `One owner from new, serviced on time by us with the full book. Heated front seats, a panoramic roof, and tyres ` +
    `that have ${(number % 7) + 1} mm left. Come and drive it: we are open all week, and there is coffee while you wait.`
  return {
    showroom_ids: ['5b0f7a52-6f0e-4a59-9d5a-6a8f5d2a3c11'],
    location: { source_id: 'north', name: 'Northside' },
    vehicle: { source_id: sourceId, stock_id: `S${sourceId}`, make, model, colour, description, ...facts },
    assets,
  }
}

const facts = {
  badge: 'Earth',
  production_year: '2026',
  body_type: 'SUV',
  fuel_type: 'electric',
  vin: 'KNAC381ABP5012345',
  interior: 'Grey',
  transmission: 'automatic',
  odometer: 12,
  state_of_registration: 'VIC',
  condition: 'new',
  is_published: true,
  option_codes: ['PAINT', 'TOW', 'MATS'],
  pricing: { type: 'basic', price: 71_770, currency: 'AUD', included_discount: 1_000, excls_on_roads: true },
  features_description:
    'Adaptive cruise control, lane keeping, blind spot warning, seven airbags, a 360 degree camera.',
  warranty_description: 'Seven years and unlimited kilometres; the battery is covered for 150,000 km.',
  tags: [{ code: 'demo', label: 'Demonstrator', colour_scheme: 'green' }],
  custom_fields: [{ name: 'Keys', value: '2' }],
}
