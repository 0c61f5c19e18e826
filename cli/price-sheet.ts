import { accountWords } from '#rates/answers/account-words.ts'
import type { Explanation, Quote, QuoteLine, UnpricedComponent } from '#rates/engine/answer.ts'
import { registrationTypeOf, termMonthsOf, type QuoteRequest } from '#rates/engine/request.ts'
import { wrap } from './help.ts'
import { dollars } from './money.ts'
import type { Terminal } from './terminal.ts'

const CATEGORIES = [
  ['dutiable', 'Vehicle'],
  ['onRoad', 'On-road costs'],
  ['additional', 'Also on the invoice'],
] as const

const MONEY = 14

/** A quote for a reader: what is priced, each line with its amount and its rule, the totals, and the assumptions. */
export function priceSheet(request: QuoteRequest, quote: Quote, terminal: Terminal): string[] {
  const { paint, columns } = terminal
  const lines = CATEGORIES.flatMap(([category]) => quote.categories[category])
  const label = Math.max(24, ...lines.map(({ description }) => description.length))
  const sheet: Sheet = { terminal, label, rule: '─'.repeat(label + MONEY + 2) }
  const { totals, metadata } = quote
  return [
    ...heading(request, metadata).map((line, at) => (at === 0 ? paint('bold', line) : line)),
    ...CATEGORIES.flatMap(([category, title]) => section(title, quote.categories[category], totals[category], sheet)),
    sheet.rule,
    `${paint('bold', row('Drive-away', totals.driveAway, label))}  of which GST ${dollars(totals.tax.overall)}`,
    ...incomplete(metadata.unpriced, terminal),
    ...rising(metadata.mayRise, terminal),
    '',
    ...metadata.warnings.flatMap((warning) => note(warning, Math.min(columns, 100), terminal)),
    paint('dim', `release ${metadata.release}`),
  ]
}

/**
 * The components that the drive-away price lacks, printed beside it: a price that is too low must not look complete.
 */
function incomplete(unpriced: readonly UnpricedComponent[], { paint }: Terminal): string[] {
  if (unpriced.length === 0) return []
  const names = unpriced.map(({ component, because }) => `${component} (${because.replaceAll('_', ' ')})`)
  return [paint('red', `Incomplete: without ${names.join(', ')}`)]
}

/** The components of the drive-away price that may turn out higher. */
const rising = (components: readonly string[], { paint }: Terminal): string[] =>
  components.length === 0
    ? []
    : [paint('red', `May be higher: ${components.join(', ')} (estimated, no upper bound known)`)]

interface Sheet {
  terminal: Terminal
  label: number
  rule: string
}

function heading(request: QuoteRequest, metadata: Quote['metadata']) {
  const { pricingCode, registration, vehicleGeneric = {}, customer = {} } = request
  const { bodyType, fuelType, condition } = vehicleGeneric
  const { startDate, postcode } = registration
  const isNew = registrationTypeOf(registration.type) === 'new'
  const termMonths = registration.termMonths ?? assumedTerm(metadata)
  const vehicle = [condition, fuelType, bodyType?.replaceAll('_', ' ')].filter(Boolean).join(' ')
  const where = postcode === undefined ? '' : `, postcode ${postcode}`
  const claim = customer.concession?.hasConcession ? `, concession ${customer.concession.type}` : ''
  return [
    `${pricingCode.replace('_', ' ')}  ${startDate}  financial year ${metadata.financialYear}`,
    `${vehicle || 'a vehicle'}: ${isNew ? 'registered' : 'transferred'} for ${termMonths} months${where}${claim}`,
  ]
}

/** The months that a quote assumes when the request has no term; the usual term when no charge depends on it. */
const assumedTerm = ({ assumptions }: Quote['metadata']) =>
  assumptions.find(({ path }) => path === '/registration/termMonths')?.assumed ?? termMonthsOf(undefined, [])

function section(title: string, lines: readonly QuoteLine[], total: number, sheet: Sheet): string[] {
  if (lines.length === 0) return []
  const { paint } = sheet.terminal
  const rows = lines.flatMap((line) => [
    `${row(line.description, line.value, sheet.label)}  ${paint('dim', ruleOf(line))}`,
    ...(line.explain ? explained(line.explain).map((text) => paint('dim', `    ${text}`)) : []),
  ])
  const sum = lines.length > 1 ? [paint('dim', row('', total, sheet.label))] : []
  return ['', paint('underline', title), ...rows, ...sum]
}

const row = (label: string, cents: number, width: number) => `${label.padEnd(width)}  ${dollars(cents).padStart(MONEY)}`

const ruleOf = ({ ruleId, evidence }: QuoteLine) => (evidence === 'official' ? ruleId : `${ruleId} (${evidence})`)

/** How a line came to its figure, in a few short lines: the case, the base amount, each step, the source. */
export function explained({ basis, step, concession, account, ...rest }: Explanation): string[] {
  const where = [
    ...(basis ? [`on ${basis.name} ${dollars(basis.amount)}`] : []),
    ...(step === undefined ? [rest.case] : [`${rest.case}.${step}`]),
    ...(concession === undefined ? [] : [`concession ${concession}`]),
  ]
  const [source] = rest.sources
  return [
    where.join(' · '),
    accountWords(account).join(' · '),
    ...(source ? [`${source.label} (${source.authority})`] : []),
  ]
}

function note(warning: string, columns: number, { paint }: Terminal): string[] {
  return wrap(warning, columns - 2).map((line, at) => `${at === 0 ? paint('yellow', '!') : ' '} ${line}`)
}
