import { FUEL_TYPES } from '#rates/engine/grammar/facts.ts'
import { isDate } from '#rates/engine/dates.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { element } from './element.ts'
import { hashOf, type Chosen } from './request.ts'
import { day, words } from './words.ts'

/** Most curves beside that of the form; a fifth curve could not be distinguished. */
const MOST = 3

/** The difference of one curve, as the address has it: `pricingCode:AU_NSW`. */
const otherOf = (choice: string): { field: string; value: string } => {
  const [field = '', value = ''] = choice.split(':')
  return { field, value }
}

/** The address may have been typed, so choices that do not exist are ignored. */
const choicesOf = ({ with: text = '' }: Chosen): string[] => text.split(',').filter(isChoice).slice(0, MOST)

function isChoice(choice: string): boolean {
  const { field, value } = otherOf(choice)
  if (field === 'startDate') return isDate(value)
  return field === 'fuelType' ? FUEL_TYPES.some((fuel) => fuel === value) : field === 'pricingCode' && value !== ''
}

type Names = Readonly<Record<string, string>>

const nameOf = (field: string, value: string, names: Names): string => {
  if (field === 'startDate') return day(value)
  return field === 'pricingCode' ? (names[value] ?? value) : words(value)
}

/** The form's choice first, then the choices to compare it with, each named by its difference. */
export function comparedWith(chosen: Chosen, names: Names): { name: string; chosen: Chosen }[] {
  const others = choicesOf(chosen).map(otherOf)
  const fields = [...new Set(['pricingCode', ...others.map(({ field }) => field)])]
  const own = fields.map((field) => nameOf(field, chosen[field] ?? '', names)).join(', ')
  return [
    { name: own, chosen },
    ...others.map(({ field, value }) => ({
      name: nameOf(field, value, names),
      chosen: otherwise(chosen, field, value),
    })),
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
export function comparison(chosen: Chosen, snapshot: Snapshot, names: Names): HTMLElement[] {
  const added = choicesOf(chosen)
  const go = (choices: readonly string[]) => (location.hash = hashOf({ ...chosen, with: choices.join(',') }))
  const buttons = added.map((choice) => {
    const { field, value } = otherOf(choice)
    const button = element(
      'button',
      { type: 'button', id: `without-${value}` },
      `Remove ${nameOf(field, value, names)}`,
    )
    button.addEventListener('click', () => go(added.filter((other) => other !== choice)))
    return button
  })
  if (added.length === MOST) return buttons
  const select = element(
    'select',
    { id: 'compare' },
    element('option', { value: '' }, '–'),
    ...offered(chosen, snapshot, names),
  )
  select.addEventListener('change', () => go([...added, select.value]))
  return [element('label', {}, 'Add the curve of', select), ...buttons]
}

function offered(chosen: Chosen, snapshot: Snapshot, names: Names): HTMLElement[] {
  const years = [...new Set(snapshot.specs.map(({ financialYear }) => `${financialYear.slice(0, 4)}-07-01`))].toSorted()
  const groups: readonly (readonly [string, string, readonly string[]])[] = [
    ['Another state or territory', 'pricingCode', Object.keys(names)],
    ['Other energy', 'fuelType', FUEL_TYPES],
    ['Another day', 'startDate', chosen['over'] === 'startDate' ? [] : years],
  ]
  const chosenAlready = new Set([...choicesOf(chosen), ...groups.map(([, field]) => `${field}:${chosen[field] ?? ''}`)])
  return groups.flatMap(([label, field, values]) => {
    const free = values.filter((value) => !chosenAlready.has(`${field}:${value}`))
    const options = free.map((value) => element('option', { value: `${field}:${value}` }, nameOf(field, value, names)))
    return options.length > 0 ? [element('optgroup', { label }, ...options)] : []
  })
}
