import fc from 'fast-check'
import { BODY_TYPES, CUSTOMER_TYPES, FUEL_TYPES, LINE_KINDS, USAGE_TYPES } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'

/** Cents around every round number and every edge that a set writes down, and anything between. */
export function prices(spec: RateSetSpec, most = 300_000_00): fc.Arbitrary<number> {
  const written = JSON.stringify(spec).match(/"[0-9]{4,6}(?:\.[0-9]{1,2})?"/g) ?? []
  const edges = [...new Set(written.map((text) => Math.round(Number(text.slice(1, -1)) * 100)))].filter(
    (cents) => cents < most,
  )
  const beside = fc
    .tuple(fc.constantFrom(...edges, 100_000_00), fc.integer({ min: -2, max: 2 }))
    .map(([edge, step]) => Math.max(0, edge + step))
  return fc.oneof(
    beside,
    fc.integer({ min: 0, max: most }),
    fc.integer({ min: 0, max: most / 100_00 }).map((n) => n * 100_00),
  )
}

/** Dollars and cents of one vehicle, which is worth something. */
const worths = (spec: RateSetSpec) => prices(spec).map((cents) => Math.max(1, cents))

const days = (from: string, to: string): fc.Arbitrary<string> =>
  fc
    .integer({ min: Date.parse(from) / 86_400_000, max: Date.parse(to) / 86_400_000 })
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))

/** Any day of a set's year; the days on which something of it changes are taken more often. */
export function dates(spec: RateSetSpec): fc.Arbitrary<string> {
  const [first, last] = spec.financialYear.split('-')
  const [start, end] = [`${first}-07-01`, `${last}-06-30`]
  const written = [...JSON.stringify(spec).matchAll(/"(?:start|end)Date":"([0-9-]{10})"/g)].map((match) => match[1]!)
  // Where an age that is counted from a leap day turns.
  const inside = [...written, `${last}-02-28`, `${last}-03-01`].filter((date) => date >= start && date <= end)
  return fc.oneof(fc.constantFrom(start, end, ...inside), days(start, end))
}

const shifted = (date: string, by: number) =>
  new Date((Date.parse(date) / 86_400_000 + by) * 86_400_000).toISOString().slice(0, 10)

function vehicles(date: string, condition: 'new' | 'used'): fc.Arbitrary<Vehicle> {
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
  // Anniversaries of the day asked for, on and beside which an age turns.
  const birthdays = fc
    .tuple(fc.integer({ min: 0, max: condition === 'new' ? 2 : 11 }), fc.integer({ min: -1, max: 1 }))
    .map(([years, beside]) => shifted(`${Number(date.slice(0, 4)) - years}${date.slice(4)}`, beside))
    .filter((day) => day <= date)
  const from = condition === 'new' ? shifted(date, -730) : '2015-01-01'
  const leapDays = ['2016-02-29', '2020-02-29', '2024-02-29'].filter((day) => day >= from && day <= date)
  const past = fc.oneof(days(from, date), birthdays, ...(leapDays.length > 0 ? [fc.constantFrom(...leapDays)] : []))
  return fc
    .record({
      bodyType: maybe(fc.constantFrom(...BODY_TYPES)),
      fuelType: maybe(fc.constantFrom(...FUEL_TYPES)),
      condition: fc.constant(condition),
      cylinders: maybe(fc.integer({ min: 0, max: 13 })),
      rotors: maybe(fc.integer({ min: 0, max: 4 })),
      seats: maybe(fc.integer({ min: 1, max: 14 })),
      tareKg: maybe(
        fc.oneof(fc.integer({ min: 700, max: 4600 }), fc.constantFrom(975, 976, 1154, 1155, 1504, 1505, 2504, 2505)),
      ),
      gvmKg: maybe(fc.oneof(fc.integer({ min: 1200, max: 6000 }), fc.constantFrom(4000, 4001, 4500, 4501))),
      kerbMassKg: maybe(fc.integer({ min: 800, max: 3500 })),
      co2GPerKm: maybe(fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(120, 121, 130, 175, 220))),
      engineCapacityCc: maybe(fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.constantFrom(0, 1, 8000))),
      fuelConsumptionLPer100km: maybe(fc.integer({ min: 0, max: 200 }).map((tenths) => tenths / 10)),
      manufactureDate: maybe(past),
      firstRegisteredDate: maybe(past),
      year: maybe(fc.integer({ min: -1, max: 1 })),
      previouslyRegistered: maybe(fc.boolean()),
      demonstrator: maybe(fc.boolean()),
    })
    .map((vehicle) => seated(ofYear(inOrder(vehicle), date)))
    .map((vehicle) => JSON.parse(JSON.stringify(heavier(vehicle))) as Vehicle)
}

/** A vehicle is made before it is registered. */
function inOrder<T extends { manufactureDate: string | undefined; firstRegisteredDate: string | undefined }>(
  vehicle: T,
): T {
  const [manufactureDate, firstRegisteredDate] = [vehicle.manufactureDate, vehicle.firstRegisteredDate].toSorted()
  return manufactureDate && firstRegisteredDate ? { ...vehicle, manufactureDate, firstRegisteredDate } : vehicle
}

/** The year as drawn is one beside that of the vehicle's dates, or of the day asked for. */
function ofYear<
  T extends { year: number | undefined; manufactureDate: string | undefined; firstRegisteredDate: string | undefined },
>(vehicle: T, date: string): T {
  const { year: beside, manufactureDate, firstRegisteredDate } = vehicle
  if (beside === undefined) return vehicle
  return { ...vehicle, year: Number((manufactureDate ?? firstRegisteredDate ?? date).slice(0, 4)) + beside }
}

/** More than nine seats are those of a people mover or a bus; one vehicle in eight keeps what was drawn. */
function seated<T extends Pick<Vehicle, 'bodyType' | 'seats' | 'cylinders'>>(vehicle: T): T {
  const { bodyType, seats = 0, cylinders } = vehicle
  if (cylinders === 5 || seats <= 9 || bodyType === 'bus') return vehicle
  return { ...vehicle, bodyType: 'people_mover' }
}

/** A vehicle is heavier laden than ready for the road, and ready for the road than empty; one in eight keeps what was drawn. */
function heavier<T extends Pick<Vehicle, 'tareKg' | 'kerbMassKg' | 'gvmKg' | 'cylinders'>>(vehicle: T): T {
  if (vehicle.cylinders === 5) return vehicle
  const { tareKg: tare, kerbMassKg: kerb, gvmKg: gvm } = vehicle
  const kerbMassKg = kerb === undefined ? undefined : Math.max(kerb, tare ?? 0)
  const gvmKg = gvm === undefined ? undefined : Math.max(gvm, kerbMassKg ?? 0, tare ?? 0)
  return { ...vehicle, kerbMassKg, gvmKg }
}

/** The registration types that a set offers on a day. */
export const typesOn = (spec: RateSetSpec, date: string) =>
  (spec.offers?.registrationTypes ?? [])
    .filter(({ startDate = '0000', endDate = '9999' }) => startDate <= date && date <= endDate)
    .map(({ type }) => type)

/** A request that the contract takes: offered terms and types, a used vehicle where it is transferred. */
export function requests(spec: RateSetSpec): fc.Arbitrary<QuoteRequest> {
  return dates(spec).chain((date) =>
    fc
      .constantFrom(...typesOn(spec, date))
      .chain((type) =>
        fc
          .constantFrom<('new' | 'used')[]>(...(type === 'transfer' ? (['used'] as const) : (['new', 'used'] as const)))
          .chain((condition) => body(spec, { date, type, condition })),
      ),
  )
}

function body(
  spec: RateSetSpec,
  { date, type, condition }: { date: string; type: 'new' | 'transfer'; condition: 'new' | 'used' },
) {
  const money = fc.option(worths(spec), { nil: undefined })
  // No earlier year may be priced.
  const firstDay = `${spec.financialYear.slice(0, 4)}-07-01`
  const concessions = [
    '',
    ...(spec.concessions ?? [])
      .filter(({ startDate = '0', endDate = '9' }) => startDate <= date && date <= endDate)
      .map((one) => one.type),
  ]
  const extra = fc
    .record({
      description: fc.constant('line'),
      value: fc.integer({ min: -5_000_00, max: 10_000_00 }),
      kind: fc.constantFrom(...LINE_KINDS, undefined),
    })
    .map(({ description, value, kind }) => ({
      description,
      // A discount lowers the price.
      value: kind === 'discount' ? -Math.abs(value) : value,
      ...(kind && { kind }),
    }))
  const sent = fc.record({
    price: prices(spec),
    extras: fc.array(extra, { maxLength: 2 }),
    additional: fc.option(fc.array(extra, { maxLength: 2 }), { nil: undefined }),
    gst: fc.constantFrom(undefined, 'taxable' as const, 'none' as const),
    listPrice: money,
    marketValue: money,
    lctPreviouslyPaid: fc.option(fc.integer({ min: 0, max: 20_000_00 }), { nil: undefined }),
    vehicle: vehicles(date, condition),
    term: fc.constantFrom(...spec.offers!.terms),
    postcode: fc.option(
      fc.integer({ min: 800, max: 9000 }).map((code) => String(code).padStart(4, '0')),
      { nil: undefined },
    ),
    customerType: fc.constantFrom(...CUSTOMER_TYPES),
    usageType: fc.constantFrom(...USAGE_TYPES),
    concession: fc.constantFrom(...concessions),
    claimed: fc.constantFrom(true, true, true, false),
    bought: fc.oneof(
      fc.constant(date),
      fc.integer({ min: 1, max: 40 }).map((before) => shifted(date, -before)),
    ),
    taxAt: fc.constantFrom('inside', 'top', 'both'),
    left: fc.oneof(fc.constant<string[]>([]), fc.subarray([...DEFAULTED])),
  })
  return sent.map((one): QuoteRequest => {
    const { listPrice, marketValue, lctPreviouslyPaid, postcode, additional, gst, taxAt } = one
    // The lines come to at least nothing: what the extras take off is on the vehicle.
    const off = one.extras.reduce((sum, { value }) => sum + value, 0)
    const price = Math.max(one.price, -off)
    const paid = lctPreviouslyPaid === undefined ? {} : { lctPreviouslyPaid }
    const request: QuoteRequest = {
      pricingCode: spec.pricingCode,
      showroomCode: 'TEST01',
      purchaseDate: one.bought < firstDay ? firstDay : one.bought,
      vehicleGeneric: one.vehicle,
      pricingInputs: {
        dutiable: [{ description: 'vehicle', value: price, kind: 'vehicle' }, ...one.extras],
        ...(additional === undefined ? {} : { additional }),
        ...(gst === undefined ? {} : { gst }),
        ...(listPrice === undefined ? {} : { listPrice }),
        ...(marketValue === undefined ? {} : { marketValue }),
        ...(taxAt === 'top' ? {} : paid),
      },
      registration: { startDate: date, termMonths: one.term, type, ...(postcode === undefined ? {} : { postcode }) },
      customer: {
        customerType: one.customerType,
        usageType: one.usageType,
        ...(one.concession === '' ? {} : { concession: { hasConcession: one.claimed, type: one.concession } }),
      },
      ...(taxAt === 'inside' ? {} : paid),
    }
    return without(request, one.left)
  })
}

/** Fields for which the interface has a default. */
const DEFAULTED = ['condition', 'type', 'termMonths', 'customerType', 'usageType'] as const

/** The request without some fields that have a default; a used vehicle that is registered anew is said to be used. */
function without(request: QuoteRequest, fields: readonly string[]): QuoteRequest {
  const { vehicleGeneric, registration, customer } = request
  const kept = <T extends object>(part: T | undefined) =>
    Object.fromEntries(Object.entries(part ?? {}).filter(([key]) => !fields.includes(key))) as T
  const { condition } = vehicleGeneric ?? {}
  const isDefault = (condition === 'used') === (registration.type === 'transfer')
  const says = condition !== undefined && !isDefault ? { condition } : {}
  const startDate = { startDate: registration.startDate }
  const type = registration.type === 'transfer' ? { type: registration.type } : {}
  return {
    ...request,
    vehicleGeneric: { ...kept(vehicleGeneric), ...says },
    registration: { ...kept(registration), ...startDate, ...type },
    customer: kept(customer),
  }
}
