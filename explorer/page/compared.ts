import { FUEL_TYPES } from '#rates/engine/grammar/facts.ts'
import { isDate } from '#rates/engine/dates.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { element } from './element.ts'
import { hashOf, type Chosen } from './request.ts'
import { day, words } from './words.ts'

/** Most curves beside that of the form; a fifth curve could not be distinguished. */
const MOST = 3

/** The rates that are shown, and those that they are compared with, if any. */
export interface Sides {
  label: string
  snapshot: Snapshot
  other: { label: string; snapshot: Snapshot } | undefined
}

/** In place of a field and its value: the same choice, priced by the other rates. */
const OTHER_RATES = 'rates:other'

/** The difference of one curve, as the address has it: `pricingCode:AU_NSW`. */
const otherOf = (choice: string): { field: string; value: string } => {
  const [field = '', value = ''] = choice.split(':')
  return { field, value }
}

/** The address may have been typed, so choices that do not exist, or stand there twice, are ignored. */
const choicesOf = ({ with: text = '' }: Chosen, { other, snapshot }: Sides): string[] =>
  [...new Set(text.split(','))]
    .filter((choice) => (choice === OTHER_RATES ? other !== undefined : isChoice(choice, snapshot)))
    .slice(0, MOST)

function isChoice(choice: string, { jurisdictions }: Snapshot): boolean {
  const { field, value } = otherOf(choice)
  if (field === 'startDate') return isDate(value)
  if (field === 'fuelType') return FUEL_TYPES.some((fuel) => fuel === value)
  return field === 'pricingCode' && Object.hasOwn(jurisdictions, value)
}

type Names = Readonly<Record<string, string>>

const nameOf = (field: string, value: string, names: Names): string => {
  if (field === 'startDate') return day(value)
  return field === 'pricingCode' ? (names[value] ?? value) : words(value)
}

/** The form's choice first, then the choices to compare it with, each named by its difference. */
export function comparedWith(
  chosen: Chosen,
  names: Names,
  sides: Sides,
): { name: string; chosen: Chosen; snapshot: Snapshot }[] {
  const { label, snapshot, other } = sides
  const others = choicesOf(chosen, sides).map(otherOf)
  const fields = [...new Set(['pricingCode', ...others.map(({ field }) => field)])]
  const own = fields.map((field) => (field === 'rates' ? label : nameOf(field, chosen[field] ?? '', names))).join(', ')
  return [
    { name: own, chosen, snapshot },
    ...others.map(({ field, value }) =>
      field === 'rates' && other
        ? { name: other.label, chosen, snapshot: other.snapshot }
        : { name: nameOf(field, value, names), chosen: otherwise(chosen, field, value), snapshot },
    ),
  ]
}

/**
 * The choice with one field changed. In another state, the postcode is removed, because it belongs to one state; the
 * rates then assume where the garage is.
 */
function otherwise(chosen: Chosen, field: string, value: string): Chosen {
  const kept = Object.entries(chosen).filter(([name]) => !(field === 'pricingCode' && name === 'postcode'))
  return { ...Object.fromEntries(kept), [field]: value }
}

/** A list of curves that can be added, and a button to remove each added one. */
export function comparison(chosen: Chosen, sides: Sides, names: Names): HTMLElement[] {
  const added = choicesOf(chosen, sides)
  const go = (choices: readonly string[]) => (location.hash = hashOf({ ...chosen, with: choices.join(',') }))
  const buttons = added.map((choice) => {
    const { field, value } = otherOf(choice)
    const button = element(
      'button',
      { type: 'button', id: `without-${value}` },
      `Remove ${choice === OTHER_RATES ? sides.other?.label : nameOf(field, value, names)}`,
    )
    button.addEventListener('click', () => go(added.filter((other) => other !== choice)))
    return button
  })
  if (added.length === MOST) return buttons
  const select = element(
    'select',
    { id: 'compare' },
    element('option', { value: '' }, '–'),
    ...offered(chosen, sides, names),
  )
  select.addEventListener('change', () => go([...added, select.value]))
  return [element('label', {}, 'Add the curve of', select), ...buttons]
}

function offered(chosen: Chosen, sides: Sides, names: Names): HTMLElement[] {
  const years = [
    ...new Set(sides.snapshot.specs.map(({ financialYear }) => `${financialYear.slice(0, 4)}-07-01`)),
  ].toSorted()
  const groups: readonly (readonly [string, string, readonly string[]])[] = [
    ['Another state or territory', 'pricingCode', Object.keys(names)],
    ['Other energy', 'fuelType', FUEL_TYPES],
    ['Another day', 'startDate', chosen['over'] === 'startDate' ? [] : years],
  ]
  const added = choicesOf(chosen, sides)
  const chosenAlready = new Set([...added, ...groups.map(([, field]) => `${field}:${chosen[field] ?? ''}`)])
  const { other } = sides
  const release =
    other && !added.includes(OTHER_RATES)
      ? [element('optgroup', { label: 'Other rates' }, element('option', { value: OTHER_RATES }, other.label))]
      : []
  const free = groups.flatMap(([label, field, values]) => {
    const free = values.filter((value) => !chosenAlready.has(`${field}:${value}`))
    const options = free.map((value) => element('option', { value: `${field}:${value}` }, nameOf(field, value, names)))
    return options.length > 0 ? [element('optgroup', { label }, ...options)] : []
  })
  return [...free, ...release]
}
