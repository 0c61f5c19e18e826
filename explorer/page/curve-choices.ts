import type { Quote } from '#rates/engine/answer.ts'
import { AXES } from './axes.ts'
import { ON_ROAD } from './curves.ts'
import { element } from './element.ts'
import { hashOf, type Chosen } from './request.ts'
import { words } from './words.ts'

/** The lists above a chart: of what it is a curve, and over what. */
export function curveChoices(now: Chosen, priced: Quote | undefined): HTMLElement[] {
  const components = [...new Set(priced?.categories.onRoad.map(({ component }) => component))]
  const subjects: [string, string][] = [
    ['', 'Drive-away price'],
    [ON_ROAD, 'On-road charges'],
    ...components.map((name): [string, string] => [name, words(name)]),
  ]
  const axes = AXES.map(({ name, label }): [string, string] => [name, label])
  return [choice('Curve of', 'component', subjects, now), choice('Over', 'over', axes, now)]
}

/** A list whose selection is in the address. */
function choice(label: string, field: string, choices: readonly [string, string][], now: Chosen): HTMLElement {
  const options = choices.map(([value, text]) =>
    element('option', { value, selected: value === (now[field] ?? '') }, text),
  )
  const select = element('select', { id: field }, ...options)
  select.addEventListener('change', () => (location.hash = hashOf({ ...now, [field]: select.value })))
  return element('label', {}, label, select)
}
