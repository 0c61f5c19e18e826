import type { AccountStep } from '../engine/account.ts'
import { divide, formatExact, fraction, parseExact, roundTo, whole } from '../engine/exact.ts'

/**
 * The steps of a line's account in plain words, each with the resulting dollars: `$1,890.00`, with more decimals when
 * they matter.
 */
export const accountWords = (account: readonly AccountStep[]): string[] =>
  account.map((step) => {
    const words = wordsOf(step)
    return STARTS.includes(step.kind) ? words : `${words} = ${dollars(step.leavesCents)}`
  })

const FOURTH_PLACE = fraction(1n, 10_000n)

const STARTS = ['amount', 'basis']

type Plain = 'amount' | 'basis' | 'above' | 'plus' | 'atLeast' | 'atMost'

const PLAIN: Record<Plain, string> = {
  amount: '',
  basis: 'on ',
  above: 'what is above ',
  plus: 'plus ',
  atLeast: 'at least ',
  atMost: 'at most ',
}

const isPlain = (step: AccountStep): step is Extract<AccountStep, { kind: Plain }> => step.kind in PLAIN

function wordsOf(step: AccountStep): string {
  if (isPlain(step)) return `${PLAIN[step.kind]}${dollars(step.cents)}`
  switch (step.kind) {
    case 'units':
      return `${step.of} ${step.quantity} / ${step.per}${COUNTED[step.part]} × ${dollars(step.rateCents)}`
    case 'percent':
      return `${step.percent} %`
    case 'risingPercent':
      return risingPercent(step)
    case 'perPart':
      return `${dollars(step.rateCents)} for each ${dollars(step.perCents)} or part`
    case 'less':
      return less(step)
    case 'round':
      return `rounded${ROUNDED[step.mode]} to a multiple of ${dollars(step.toCents)}`
    case 'term':
      return `× ${step.factor} for ${step.months} months`
    case 'percentOff':
      return `concession: ${step.percent} % off`
    case 'amountOff':
      return `concession: ${forTerm(step)} off`
    case 'set':
      return `concession: ${forTerm(step)} instead`
  }
}

const COUNTED = { up: ' or part', down: ' without part', prorata: '' }
const ROUNDED = { halfUp: '', up: ' up', down: ' down' }

function risingPercent(step: Extract<AccountStep, { kind: 'risingPercent' }>): string {
  const { percent, divisorCents, aboveCents, mode, decimals } = step
  const rise = `${percent} % and 1 more for each ${dollars(divisorCents)} above ${dollars(aboveCents)}`
  return `${rise}, rounded${ROUNDED[mode]} to ${decimals} places`
}

const less = ({ cents, of }: { cents: string; of?: string }) =>
  `less ${dollars(cents)}${of === undefined ? '' : ` (${of})`}`

const forTerm = ({ cents, factor }: { cents: string; factor?: string }) =>
  factor === undefined ? dollars(cents) : `${dollars(cents)} × ${factor}`

/** Dollars from exact cents: `$1,890.00`, `$343.2602`; `$33.3333…` for 10,000/3 cents. */
function dollars(cents: string): string {
  const exact = divide(parseExact(cents), whole(100))
  const isCut = formatExact(exact).includes('/')
  const text = formatExact(isCut ? roundTo(exact, FOURTH_PLACE, 'down') : exact)
  const [head = '', places = ''] = text.split('.')
  const digits = head.replace('-', '').replace(/\B(?=(\d{3})+$)/g, ',')
  return `${head.startsWith('-') ? '-' : ''}$${digits}.${places.padEnd(2, '0')}${isCut ? '…' : ''}`
}
