import { readFileSync } from 'node:fs'
import type { Given } from '../engine/grammar/rate-set.ts'
import { Given as GivenSchema } from '../engine/grammar/rate-set.ts'
import { FACTS } from '../engine/grammar/facts.ts'
import { Evidence, ExpectedFigure, IsoDate, OneOf } from '../engine/grammar/scalar.ts'
import { schemaFaults } from '../checks/schema.ts'
import { Type, type Static } from 'typebox'
import { parseDocument, type StrictDocument } from './document.ts'
import { describeFault, type LocatedFault } from './located.ts'
import { findUnquoted } from './unquoted.ts'
import { yamlFiles } from './yaml-files.ts'

const Expected = Type.Object(
  {
    driveAway: Type.Optional(Type.String({ pattern: '^-?[0-9]+(\\.[0-9]{1,2})?$' })),
    warnings: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    unwarned: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    evidence: Type.Optional(Type.Record(Type.String(), Evidence)),
    mayRise: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    assumed: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    timeZone: Type.Optional(Type.String({ pattern: '^[A-Za-z_]+/[A-Za-z_]+$' })),
    ruleIds: Type.Optional(Type.Record(Type.String(), Type.String())),
    error: Type.Optional(Type.String({ pattern: '^[A-Z_]+$' })),
  },
  { additionalProperties: ExpectedFigure },
)

const QuoteCaseSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  source: Type.String({
    minLength: 1,
    description: 'The formula in words, or the published example and its reference.',
  }),
  // A worked example may omit its day, which is then the first of its set's year. A case belongs to no year, so it
  // states its day, which may be after the last published year.
  request: Type.Object({
    ...GivenSchema.properties,
    date: IsoDate,
    purchaseDate: Type.Optional(IsoDate),
    outOfRange: Type.Optional(OneOf(['prior_year'])),
  }),
  expect: Expected,
})

const CasesFileSchema = Type.Object({
  pricingCode: Type.String({ pattern: '^AU_[A-Z]{2,3}$' }),
  cases: Type.Array(QuoteCaseSchema, { minItems: 1 }),
})

/**
 * A quote worked out from the law, with money in dollars. `expect` has figures by component, and keys of its own:
 * `none` is no line, `unpriced` a component that is due without a figure; `gst:COMPONENT` is the GST in the component's
 * lines, `gst:overall` all GST.
 */
export interface QuoteCase {
  file: string
  line: number
  pricingCode: string
  name: string
  source: string
  request: Given & { date: string; purchaseDate?: string; outOfRange?: 'prior_year' }
  figures: Record<string, string>
  driveAway?: string
  /** Texts that some warning must contain. */
  warnings: string[]
  /** Texts that no warning may contain. */
  unwarned?: string[]
  /** Exactly the components whose line may rise. */
  mayRise?: string[]
  /** The grade of the line of each component. */
  evidence?: Record<string, string>
  /**
   * The value that the rates assume for a fact, `seats`, or for one component, `CTP.seats`; `nothing` when they assume
   * none.
   */
  assumed?: Record<string, string>
  /** The time zone whose calendar decides the year of the quote. */
  timeZone?: string
  ruleIds: Record<string, string>
  error?: string
}

/** Reads the cases of files and directories; throws one error with every fault of a file. */
export function readCases(paths: readonly string[]): QuoteCase[] {
  return yamlFiles(paths).flatMap((file) => parseCases(readFileSync(file, 'utf8'), file))
}

/** Parses the cases of one file; throws when a key is unknown, a figure is not quoted or a name is not unique. */
export function parseCases(text: string, file: string): QuoteCase[] {
  const { cases, faults } = checkCases(text, file)
  if (faults.length > 0) throw new Error(faults.map(describeFault).join('\n'))
  return cases
}

/** The cases of one file's text; empty when the text has faults. */
export function checkCases(text: string, file: string): { cases: QuoteCase[]; faults: LocatedFault[] } {
  const document = parseDocument(text, file)
  if (document.faults.length > 0) return { cases: [], faults: document.faults }
  const value = document.value as Static<typeof CasesFileSchema>
  const unquoted = findUnquoted(document, CasesFileSchema)
  const faults = [
    ...unquoted,
    ...schemaFaults(CasesFileSchema, value),
    ...repeatedNames(value),
    ...unknownFacts(value),
    ...unsourced(value),
  ]
    .filter((fault) => unquoted.includes(fault as never) || !unquoted.some(({ path }) => path === fault.path))
    .map((fault) => ({ ...fault, file, ...document.locate(fault.path) }))
  return { cases: faults.length > 0 ? [] : casesOf(value, file, document), faults }
}

function casesOf(value: Static<typeof CasesFileSchema>, file: string, document: StrictDocument): QuoteCase[] {
  return value.cases.map((one, position) => ({
    file,
    line: document.locate(`cases[${position}]`).line,
    pricingCode: value.pricingCode,
    name: one.name,
    source: one.source,
    request: one.request,
    ...expectationsOf(one.expect),
  }))
}

function expectationsOf(expected: Static<typeof Expected>) {
  const { driveAway, warnings = [], ruleIds = {}, error, unwarned, evidence, mayRise, ...others } = expected
  const { assumed, timeZone, ...figures } = others
  return {
    figures: figures as Record<string, string>,
    warnings,
    ruleIds: ruleIds as Record<string, string>,
    ...(driveAway !== undefined && { driveAway }),
    ...(error !== undefined && { error }),
    ...(unwarned !== undefined && { unwarned }),
    ...(evidence !== undefined && { evidence: evidence as Record<string, string> }),
    ...(mayRise !== undefined && { mayRise }),
    ...(assumed !== undefined && { assumed: assumed as Record<string, string> }),
    ...(timeZone !== undefined && { timeZone }),
  }
}

function repeatedNames(value: { cases?: unknown }) {
  const cases = Array.isArray(value?.cases) ? (value.cases as { name?: unknown }[]) : []
  const names = cases.map((one) => one?.name)
  return names.flatMap((name, position) =>
    names.indexOf(name) === position
      ? []
      : [
          {
            check: 'names-unique',
            path: `cases[${position}].name`,
            message: `${JSON.stringify(name)} names two cases`,
          },
        ],
  )
}

/** Names in `assumed` that are not facts of a request: the value of a misspelt fact would always be `nothing`. */
function unknownFacts(value: { cases?: unknown }) {
  const cases = Array.isArray(value?.cases) ? (value.cases as { expect?: { assumed?: object } }[]) : []
  return cases.flatMap((one, position) =>
    Object.keys(one?.expect?.assumed ?? {}).flatMap((key) => {
      const fact = key.slice(key.lastIndexOf('.') + 1)
      if ((FACTS as readonly string[]).includes(fact)) return []
      const path = `cases[${position}].expect.assumed.${key}`
      return [{ check: 'unknown-key', path, message: `${JSON.stringify(fact)} is not a fact of a request` }]
    }),
  )
}

const AMOUNT = /^-?[0-9]+(\.[0-9]{1,2})?$/

/**
 * Cases that expect an amount while their source names no figure, section or row from which a reader could compute the
 * amount.
 */
function unsourced(value: { cases?: unknown }) {
  const cases = Array.isArray(value?.cases) ? (value.cases as { source?: unknown; expect?: object }[]) : []
  return cases.flatMap((one, position) => {
    const amounts = Object.entries(one?.expect ?? {}).filter(
      ([, figure]) => AMOUNT.test(String(figure)) && Number(figure) > 0,
    )
    if (amounts.length === 0 || typeof one.source !== 'string' || /\d/.test(one.source)) return []
    const [component, figure] = amounts[0]!
    const message = `${JSON.stringify(one.source)} names no figure, section or row, and ${component} is expected to be ${figure}`
    return [{ check: 'source-figure', path: `cases[${position}].source`, message }]
  })
}
