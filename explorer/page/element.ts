type Child = Node | string
type Attributes = Readonly<Record<string, string | boolean>>

/** Creates an element with attributes and children; a string child becomes text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false) continue
    made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children)
  return made
}

/** A cell of a table: its text or its parts; `money` aligns it to the right. */
export interface Cell {
  parts: Child[]
  money?: boolean
}

export const text = (...parts: Child[]): Cell => ({ parts })
export const amount = (...parts: Child[]): Cell => ({ parts, money: true })

/**
 * A table that scrolls on narrow screens; the first cell of a row is the row's heading. The last row of a `sum` is its
 * total; a `dense` one has many columns.
 */
export function table(
  caption: string,
  headings: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  look: 'plain' | 'sum' | 'dense' = 'plain',
): HTMLElement {
  const cell = (name: 'td' | 'th', { parts, money }: Cell, scope?: string) =>
    element(name, { ...(money && { class: 'money' }), ...(scope !== undefined && { scope }) }, ...parts)
  const head = element('tr', {}, ...headings.map((each) => cell('th', each, 'col')))
  const body = rows.map((row) =>
    element('tr', {}, ...row.map((each, index) => (index === 0 ? cell('th', each, 'row') : cell('td', each)))),
  )
  const made = element(
    'table',
    { class: look },
    element('caption', {}, caption),
    element('thead', {}, head),
    element('tbody', {}, ...body),
  )
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, made)
}
