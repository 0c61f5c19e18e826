const dollars = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' })
const wholeDollars = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD', maximumFractionDigits: 0 })
const days = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' })

const months = new Intl.DateTimeFormat('en-AU', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats cents as Australian dollars. */
export const money = (amount: number): string => dollars.format(amount / 100)

/** The same without cents, for an axis. */
export const roughly = (amount: number): string => wholeDollars.format(amount / 100)

/** Formats an ISO date in words. */
export const day = (iso: string): string => days.format(new Date(`${iso}T00:00:00Z`))

/** The same for the axis of a chart: `1 July 2026` with the month's short name. */
export const shortDay = (iso: string): string => months.format(new Date(`${iso}T00:00:00Z`))

/** The names of the pricing codes, for texts that are not made from the rates, such as the engine's. */
const STATES: Readonly<Record<string, string>> = {
  AU: 'Australia',
  AU_ACT: 'the Australian Capital Territory',
  AU_NSW: 'New South Wales',
  AU_NT: 'the Northern Territory',
  AU_QLD: 'Queensland',
  AU_SA: 'South Australia',
  AU_TAS: 'Tasmania',
  AU_VIC: 'Victoria',
  AU_WA: 'Western Australia',
}

export const stateName = (pricingCode: string): string | undefined =>
  Object.hasOwn(STATES, pricingCode) ? STATES[pricingCode] : undefined

/** What people call each energy of the request. */
const ENERGY: Readonly<Record<string, string>> = {
  ICE: 'Petrol or diesel',
  HEV: 'Hybrid',
  PHEV: 'Plug-in hybrid',
  BEV: 'Electric',
  FCEV: 'Hydrogen fuel cell',
}

/** Turns a name of the request or a component into words: `people_mover`, `STAMP_DUTY`, `BEV`. */
export const words = (name: string): string => {
  if (Object.hasOwn(ENERGY, name)) return ENERGY[name]!
  if (/^[A-Z]{2,4}$/.test(name) || name === 'suv') return name.toUpperCase()
  const text = name.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A label inside a sentence; `CO2 emissions` stays as it is. */
export const lowerFirst = (label: string) =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
