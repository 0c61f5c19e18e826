import { isDeepStrictEqual } from 'node:util'
import { Check } from 'typebox/value'
import { recordOf, type Node } from './node.ts'

/** Whether a value is what a node of the grammar takes. */
export const fits = (node: Node, value: unknown): boolean => Check(node as never, value)

/** Texts of which each pattern of the grammar takes one. */
const TEXTS = [
  ...['1', '1/11', '2000', '2026-10-01', '2026-2027', 'AU', 'AU_ZZ', 'OTHER', 'Other', 'other', 'Australia/Perth'],
  ...['https://example.gov.au/other', 'Another text.', `sha256:${'d'.repeat(64)}`],
]

/** Values that a node takes, made of nothing but the node, so that each field below it is in one of them; none where none is known. */
export function samplesOf(node: Node): readonly unknown[] {
  const known = samples.get(node) ?? [...made(node)]
  samples.set(node, known)
  return known
}

const samples = new WeakMap<Node, readonly unknown[]>()

function* made(node: Node): Generator<unknown> {
  const record = recordOf(node)
  if (node.properties) yield* objectsOf(node)
  else if (record) for (const value of samplesOf(record)) yield { OTHER: value }
  else if (node.items) for (const item of samplesOf(node.items)) yield [item]
  else {
    const scalars: unknown[] = [...(node.enum ?? []), true, node.minimum ?? 1, ...TEXTS]
    const found = scalars.find((one) => fits(node, one))
    if (found !== undefined) yield found
  }
}

/** Of each key, and of each value of it, the object that has it beside the keys that must be there. */
function* objectsOf(node: Node): Generator<unknown> {
  const { properties = {}, required = [] } = node
  const first = (key: string): [string, unknown] => [key, samplesOf(properties[key]!)[0]]
  const least = Object.fromEntries(required.map(first))
  if (fits(node, least)) yield least
  for (const [key, inner] of Object.entries(properties))
    for (const value of samplesOf(inner)) {
      // Some objects are nothing with one key alone.
      const all = [[], ...Object.keys(properties).map((other) => [other])].map((more) => ({
        ...{ ...Object.fromEntries(more.map(first)), ...least },
        [key]: value,
      }))
      const found = all.find((one) => fits(node, one))
      if (found) yield found
    }
}

/** Another value in the stead of a scalar: the next figure, day, word or text; undefined where none is known. */
export function otherScalar(node: Node, value: unknown, donors: readonly unknown[]): unknown {
  const isOther = (one: unknown) => one !== undefined && !isDeepStrictEqual(one, value) && fits(node, one)
  const lists = [() => nextOf(node, value), () => donors, () => samplesOf(node), () => node.enum ?? []]
  for (const list of lists) {
    const found = list().find(isOther)
    if (found !== undefined) return found
  }
  return undefined
}

function nextOf(node: Node, value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1]
  if (typeof value !== 'string') return []
  if (node.enum) return [node.enum[(node.enum.indexOf(value) + 1) % node.enum.length]]
  if (node.pattern === undefined) return [`${value} Otherwise.`, 'Another text.']
  return [nextDay(value), nextFigure(value), nextRange(value), nextShare(value)]
}

const nextDay = (value: string): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(Date.parse(value) + 86_400_000).toISOString().slice(0, 10) : undefined

/** One more in the last place that is written, of as many digits as there were. */
function nextFigure(value: string): string | undefined {
  const [, sign = '', whole, places = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?( [A-Z_/]+)?$/.exec(value) ?? []
  if (whole === undefined) return undefined
  const digits = String(BigInt(`${whole}${places}`) + 1n).padStart(whole.length + places.length, '0')
  const split = digits.length - places.length
  return `${sign}${digits.slice(0, split)}${places === '' ? '' : `.${digits.slice(split)}`}${rest}`
}

function nextRange(value: string): string | undefined {
  const [, first, last] = /^(\d{4})-(\d{4})$/.exec(value) ?? []
  return last === undefined ? undefined : `${first}-${String(Number(last) + 1).padStart(4, '0')}`
}

function nextShare(value: string): string | undefined {
  const [, above, below] = /^(\d+)\/(\d+)$/.exec(value) ?? []
  return below === undefined ? undefined : `${above}/${Number(below) + 1}`
}
