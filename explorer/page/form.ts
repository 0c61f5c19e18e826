import type { Assumption, Quote } from '#rates/engine/answer.ts'
import { isDate } from '#rates/engine/dates.ts'
import { element } from './element.ts'
import { FIELDS, optionLabel, type Field } from './fields.ts'
import type { Chosen } from './request.ts'
import { day, money, words } from './words.ts'

/** What the form shows besides the fields. */
export interface FormState {
  chosen: Chosen
  /** Name of each jurisdiction by its pricing code. */
  jurisdictions: Readonly<Record<string, string>>
  /** The quote for the choice; undefined when it is refused. */
  quote: Quote | undefined
  /** JSON pointer of the field for which the quote is refused. */
  refused: string | undefined
}

/** Creates every field once; `fillForm` then shows those that matter. */
export function buildForm(form: HTMLFormElement, jurisdictions: FormState['jurisdictions']): void {
  form.replaceChildren(
    ...FIELDS.flatMap((field) => {
      const hint = element('span', { class: 'hint', id: `hint-${field.name}` })
      const label = element('label', { 'data-field': field.name }, field.label, inputOf(field, jurisdictions), hint)
      return field.name === 'value' ? [label, priceSlider(form)] : [label]
    }),
  )
}

/** Dollars at the end of the slider, where no higher price is chosen. */
const HIGHEST = 200_000

/** A second way to enter the price. It has no name, so it is no field of its own. */
function priceSlider(form: HTMLFormElement): HTMLElement {
  const slider = element('input', { type: 'range', id: 'slider', min: '0', max: String(HIGHEST), step: '100' })
  slider.addEventListener('input', () => {
    ;(form.elements.namedItem('value') as HTMLInputElement).value = slider.value
  })
  return element('label', {}, 'Drag the price', slider)
}

function fillSlider(price: string): void {
  const slider = document.querySelector<HTMLInputElement>('#slider')!
  if (document.activeElement === slider) return
  slider.max = String(Math.max(HIGHEST, Number(price) || 0))
  slider.value = price
}

function inputOf(field: Field, jurisdictions: FormState['jurisdictions']): HTMLElement {
  const common = { name: field.name, 'aria-describedby': `hint-${field.name}` }
  const choices = field.name === 'pricingCode' ? Object.keys(jurisdictions) : (field.choices ?? ['true', 'false'])
  if (field.type === 'choice' || field.type === 'boolean') {
    const named = choices.map((each) => element('option', { value: each }, optionLabel(each, jurisdictions)))
    return element(
      'select',
      common,
      ...(field.name === 'pricingCode' ? [] : [element('option', { value: '' }, '–')]),
      ...named,
    )
  }
  if (field.type === 'date') return element('input', { ...common, type: 'date' })
  if (field.type === 'text')
    return element('input', { ...common, type: 'text', inputmode: 'numeric', autocomplete: 'off' })
  return element('input', { ...common, type: 'number', min: '0', step: field.name === 'value' ? '500' : 'any' })
}

/** Fills the form with the choice, shows the fields that matter, and names the value assumed without each of them. */
export function fillForm(form: HTMLFormElement, state: FormState): void {
  for (const field of FIELDS) {
    const input = form.elements.namedItem(field.name) as HTMLInputElement
    const sent = state.chosen[field.name] ?? ''
    // A focused field keeps its place and its text.
    const isUsed = document.activeElement === input
    if (!isUsed && input.value !== sent) input.value = sent
    const label = input.closest('label')!
    label.hidden = !(isUsed || sent !== '' || matters(field, state))
    label.classList.toggle('empty', sent === '')
    input.ariaInvalid = state.refused === field.path ? 'true' : null
    const hint = label.querySelector('.hint')!
    const text = sent === '' ? hintOf(field, saidOf(field, state)) : sentHint(field, sent)
    // A text that is written anew is laid out anew, also where it is the same.
    if (hint.textContent !== text) hint.textContent = text
  }
  fillSlider(state.chosen['value'] ?? '')
}

/** Whether a charge depends on the field or the quote is refused because of it. */
function matters(field: Field, state: FormState): boolean {
  if (field.always || state.refused === field.path || saidOf(field, state).length > 0) return true
  return (state.quote?.metadata.unpriced ?? []).some(({ path }) => path === field.path)
}

const saidOf = (field: Field, { quote }: FormState): Assumption[] =>
  (quote?.metadata.assumptions ?? []).filter(({ path }) => path === field.path)

function hintOf(field: Field, assumptions: readonly Assumption[]): string {
  const assumption = assumptions.find(
    ({ kind, assumed }) => (kind === 'assumed' || kind === 'default') && assumed !== null,
  )
  if (assumption) {
    const text = assumedText(field, assumption.assumed!)
    // What the rates assume is often a range, such as at most 4,500 kg; the value is one of it.
    return assumption.kind === 'default' ? `Not sent: ${text} is assumed.` : `Not sent: priced as with ${text}.`
  }
  const [first] = assumptions
  if (!first) return ''
  return first.kind === 'unpriced' ? 'Not sent: something has no price.' : 'Not sent: see what the quote assumes.'
}

function assumedText({ name, type }: Field, assumed: string | number | boolean): string {
  if (typeof assumed === 'boolean') return assumed ? 'yes' : 'no'
  if (typeof assumed === 'string') return type === 'date' ? day(assumed) : words(assumed)
  return type === 'money' ? money(assumed) : assumed.toLocaleString('en-AU', { useGrouping: name !== 'year' })
}

/** A day as Australians read it: the browser writes the field as its own language does. */
const sentHint = ({ type }: Field, sent: string): string => (type === 'date' && isDate(sent) ? day(sent) : '')

/** The values of the fields; empty fields are omitted. */
export function readForm(form: HTMLFormElement): Chosen {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}
