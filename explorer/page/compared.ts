import { FUEL_TYPES } from '#rates/engine/grammar/facts.ts'
import { isDate } from '#rates/engine/dates.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { element } from './element.ts'
import { releaseName, type NoRates, type OtherReleases } from './releases.ts'
import { hashOf, type Chosen } from './request.ts'
import { day, words } from './words.ts'

/** Most curves beside that of the form; a fifth curve could not be distinguished. */
const MOST = 3

/** The rates that are shown, and those that they are compared with, if any. */
export interface Sides {
  label: string
  snapshot: Snapshot
  other: { label: string; snapshot: Snapshot } | undefined
  /** Undefined where the server has no other releases. */
  releases: OtherReleases | undefined
}

/** A curve to draw: its name, the choice, and the rates that price it. */
export interface NamedChoice {
  name: string
  chosen: Chosen
  snapshot: Snapshot | NoRates
  /** Whose rates they are: a link to a price leads to the page's own. */
  rates: 'own' | 'other' | 'release'
}

/** In place of a field and its value: the same choice, priced by the other rates. */
const OTHER_RATES = 'rates:other'

/** The difference of one curve, as the address has it: `pricingCode:AU_NSW`, `release:sha256:…`. */
const otherOf = (choice: string): { field: string; value: string } => {
  const [field = '', ...rest] = choice.split(':')
  return { field, value: rest.join(':') }
}

/** The address may have been typed, so choices that do not exist, or stand there twice, are ignored. */
const choicesOf = ({ with: text = '' }: Chosen, { other, snapshot }: Sides): string[] =>
  [...new Set(text.split(','))]
    .filter((choice) => (choice === OTHER_RATES ? other !== undefined : isChoice(choice, snapshot)))
    .slice(0, MOST)

function isChoice(choice: string, { jurisdictions }: Snapshot): boolean {
  const { field, value } = otherOf(choice)
  if (field === 'startDate') return isDate(value)
  // A release that is not there says why, because a link may be older than what the server keeps.
  if (field === 'release') return value !== ''
  if (field === 'fuelType') return FUEL_TYPES.some((fuel) => fuel === value)
  return field === 'pricingCode' && Object.hasOwn(jurisdictions, value)
}

type Names = Readonly<Record<string, string>>

/** What is needed to name a choice. */
interface Naming {
  names: Names
  sides: Sides
}

function nameOf(field: string, value: string, { names, sides }: Naming): string {
  if (field === 'startDate') return day(value)
  if (field === 'rates') return sides.other?.label ?? value
  if (field === 'release') return releaseName(value, sides.releases?.offered ?? [])
  return field === 'pricingCode' ? (names[value] ?? value) : words(value)
}

/** The form's choice first, then the choices to compare it with, each named by its difference. */
export function comparedWith(chosen: Chosen, names: Names, sides: Sides): NamedChoice[] {
  const { label, snapshot } = sides
  const naming = { names, sides }
  const others = choicesOf(chosen, sides).map(otherOf)
  const fields = [...new Set(['pricingCode', ...others.map(({ field }) => field)])]
  const owns: Readonly<Record<string, string>> = { ...chosen, release: snapshot.release }
  const own = fields.map((field) => (field === 'rates' ? label : nameOf(field, owns[field] ?? '', naming))).join(', ')
  return [
    { name: own, chosen, snapshot, rates: 'own' },
    ...others.map(({ field, value }): NamedChoice => {
      const rates = whoseOf(field)
      return {
        name: nameOf(field, value, naming),
        chosen: rates === 'own' ? otherwise(chosen, field, value) : chosen,
        snapshot: ratesOf(field, value, sides),
        rates,
      }
    }),
  ]
}

/** Whether a curve has other rates, and not another vehicle. */
function whoseOf(field: string): NamedChoice['rates'] {
  if (field === 'release') return 'release'
  return field === 'rates' ? 'other' : 'own'
}

function ratesOf(field: string, value: string, { snapshot, other, releases }: Sides): Snapshot | NoRates {
  if (field === 'release') return releases?.ratesOf(value) ?? { why: 'This server has no other releases.' }
  return field === 'rates' && other ? other.snapshot : snapshot
}

/**
 * The choice with one field changed. In another state, the postcode is removed, because it belongs to one state; the
 * rates then assume where the garage is.
 */
function otherwise(chosen: Chosen, field: string, value: string): Chosen {
  const kept = Object.entries(chosen).filter(([name]) => !(field === 'pricingCode' && name === 'postcode'))
  return { ...Object.fromEntries(kept), [field]: value }
}

/** What is chosen in the list and not added yet: the list is made anew with each view. */
let picked = ''

/** A list of curves that can be added with a button, and a button to remove each added one. */
export function comparison(chosen: Chosen, sides: Sides, names: Names): HTMLElement[] {
  const added = choicesOf(chosen, sides)
  const naming = { names, sides }
  const go = (choices: readonly string[]) => (location.hash = hashOf({ ...chosen, with: choices.join(',') }))
  const buttons = added.map((choice) => {
    const { field, value } = otherOf(choice)
    const button = element(
      'button',
      { type: 'button', id: `without-${value}` },
      `Remove ${nameOf(field, value, naming)}`,
    )
    button.addEventListener('click', () => go(added.filter((other) => other !== choice)))
    return button
  })
  if (added.length === MOST) {
    const full = `A chart has at most ${MOST + 1} curves: remove one to add another.`
    return [element('p', { id: 'full', tabindex: '-1' }, full), ...buttons]
  }
  return [adding(offered(chosen, naming), (choice) => go([...added, choice])), ...buttons]
}

/** Each arrow key chooses in a closed list, so a curve is added by the button, or by Enter in the list. */
function adding(options: readonly HTMLElement[], add: (choice: string) => void): HTMLElement {
  const select = element('select', { id: 'compare' }, element('option', { value: '' }, '–'), ...options)
  select.value = picked
  // It may have been drawn since.
  if (select.selectedIndex < 0) select.value = ''
  select.addEventListener('change', () => (picked = select.value))
  const form = element(
    'form',
    { class: 'adding' },
    element('label', {}, 'Add the curve of', select),
    element('button', { id: 'add' }, 'Add'),
  )
  // Some browsers would open the list in its place.
  select.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || select.value === '') return
    event.preventDefault()
    form.requestSubmit()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (select.value === '') return
    picked = ''
    add(select.value)
  })
  return form
}

function offered(chosen: Chosen, naming: Naming): HTMLElement[] {
  const { names, sides } = naming
  const years = [
    ...new Set(sides.snapshot.specs.map(({ financialYear }) => `${financialYear.slice(0, 4)}-07-01`)),
  ].toSorted()
  const { other, releases } = sides
  const groups: readonly (readonly [string, string, readonly string[]])[] = [
    ['Another state or territory', 'pricingCode', Object.keys(names)],
    ['Other energy', 'fuelType', FUEL_TYPES],
    ['Another day', 'startDate', chosen['over'] === 'startDate' ? [] : years],
    ['Other rates', 'rates', other ? ['other'] : []],
    ['Another release', 'release', (releases?.offered ?? []).map(({ release }) => release)],
  ]
  const owns: Readonly<Record<string, string>> = { ...chosen, release: sides.snapshot.release }
  const isDrawn = new Set([...choicesOf(chosen, sides), ...groups.map(([, field]) => `${field}:${owns[field] ?? ''}`)])
  return groups.flatMap(([label, field, values]) => {
    const free = values.filter((value) => !isDrawn.has(`${field}:${value}`))
    const options = free.map((value) => element('option', { value: `${field}:${value}` }, nameOf(field, value, naming)))
    return options.length > 0 ? [element('optgroup', { label }, ...options)] : []
  })
}
