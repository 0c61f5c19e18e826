import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '#rates/engine/answer.ts'
import { FACTS } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { fieldOf, fieldsBeside } from './fact-values.ts'
import { parameters } from './parameters.ts'
import { pricedWith } from './priced.ts'
import { requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const snapshot = snapshotOf(withEveryForm)
const each = quotable.map((spec) => [labelOf(spec), spec] as const)

const priced = pricedWith(snapshot)

interface Part {
  present?: string[]
}

/** Facts of which a set asks whether they were sent. */
function silentIn(spec: RateSetSpec): string[] {
  const all = withEveryForm.filter(
    (one) => one === spec || (spec.imports?.includes(one.pricingCode) && one.financialYear === spec.financialYear),
  )
  const found: string[] = []
  JSON.stringify(all, (_key, value: Part | null) => {
    if (Array.isArray(value?.present)) found.push(...value.present)
    return value
  })
  return found
}

const linesOf = ({ categories, metadata }: Quote) => ({
  lines: Object.fromEntries(categories.onRoad.map(({ component, value }) => [component, value])),
  unpriced: metadata.unpriced.map(({ component }) => component),
})

/** The request with a value at a path, such as `/vehicleGeneric/seats`. */
function withField(request: QuoteRequest, path: string, value: unknown): QuoteRequest {
  const [, part = '', field = ''] = path.split('/')
  const record = request as unknown as Record<string, object>
  return { ...request, [part]: { ...record[part], [field]: value } }
}

const fields = (request: QuoteRequest): [string, unknown][] => [
  ...Object.entries(request.vehicleGeneric ?? {}).map(
    ([key, value]) => [`/vehicleGeneric/${key}`, value] as [string, unknown],
  ),
  ['/customer/customerType', request.customer?.customerType],
  ['/customer/usageType', request.customer?.usageType],
  ['/registration/postcode', request.registration.postcode],
]

test.each(each)('%s: a field whose omission leaves two values two prices is named', (_name, spec) => {
  const silent = silentIn(spec)
  const other = fc.tuple(requests(spec), requests(spec), fc.nat())
  const holds = ([request, source, pick]: [QuoteRequest, QuoteRequest, number]) => {
    const sent = fields(source).filter(
      ([path, value]) => value !== undefined && !silent.some((fact) => path.endsWith(`/${fact}`)),
    )
    const [path, value] = sent[pick % Math.max(1, sent.length)] ?? []
    if (path === undefined) return
    const omitted = priced(withField(request, path, undefined))
    const filled = priced(withField(request, path, value))
    if (!omitted || !filled || !differ(omitted, filled) || asksBeside(filled, path)) return
    const named = omitted.metadata.assumptions.map((assumption) => assumption.path)
    // A fact beside it may be named in its place, which a value of this one would prove (0050).
    expect(
      named.some((one) => pathsBeside(path).includes(one)),
      `${path} ${String(value)}: ${named.join(' ')}`,
    ).toBe(true)
  }
  fc.assert(fc.property(other, holds), parameters)
})

/**
 * Whether the value of a field leaves no room for what would be assumed of one beside it, so that the quote asks for that one
 * (0050): a kerb mass above the GVM that is assumed.
 */
const asksBeside = ({ metadata: { unpriced } }: Quote, field: string) =>
  unpriced.some(
    ({ because, path }) => because === 'missing_fact' && path !== field && pathsBeside(field).includes(path ?? ''),
  )

/** The fields that say something of each other, as masses do. */
const pathsBeside = (path: string) => FACTS.filter((fact) => fieldOf(fact) === path).flatMap(fieldsBeside)

const differ = (a: Quote, b: Quote) => JSON.stringify(linesOf(a)) !== JSON.stringify(linesOf(b))

test.each(each)('%s: sending what was assumed gives the same price', (_name, spec) => {
  const holds = (request: QuoteRequest) => {
    const answer = priced(request)
    if (!answer) return
    const taken = Map.groupBy(
      answer.metadata.assumptions.filter(({ kind, path }) => kind === 'assumed' && path !== ''),
      ({ path }) => path,
    )
    // Two components may take different values for one field; then no one value stands for both.
    const values = [...taken].filter(
      ([, list]) => new Set(list.map(({ assumed }) => assumed)).size === 1 && list[0]?.assumed !== null,
    )
    // Nor for a component that was not priced for want of the field, and is priced once it is sent.
    const lacking = answer.metadata.assumptions.filter(({ kind }) => kind === 'unpriced').map(({ path }) => path)
    if (values.length !== taken.size || lacking.some((path) => taken.has(path))) return
    const filled = values.reduce((body, [path, [one]]) => withField(body, path, one?.assumed), request)
    const again = priced(filled)
    if (again) expect(linesOf(again)).toEqual(linesOf(answer))
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})
