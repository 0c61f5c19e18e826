import { greater, largest, minus, over, plus, rational, smallest, times, type Rational } from './rational.ts'

/** A step of an account as a client reads it. */
export type ReadStep = Readonly<Record<string, string | number>>

const PERCENT = rational(100)
const WHOLE: Rational = { n: 1n, d: 1n }

/** Cents of each step of an account, in order, by the words of the interface alone; throws where a step is not one of them. */
export function recompute(account: readonly ReadStep[]): Rational[] {
  let amount: Rational | undefined
  return account.map((step) => (amount = after(amount, step)))
}

function after(amount: Rational | undefined, step: ReadStep): Rational {
  const read = reader(step)
  if (step.kind === 'amount' || step.kind === 'basis') return read('cents')
  if (step.kind === 'units') return times(counted(over(read('quantity'), read('per')), read.text('part')), read('rateCents'))
  if (amount === undefined) throw new Error(`an account begins with ${step.kind}`)
  const doing = STEPS[step.kind as string]
  if (!doing) throw new Error(`a step ${step.kind} is not one of the interface's`)
  return doing(amount, read)
}

type Reader = ReturnType<typeof reader>

/** The numbers of a step; throws where one is missing. */
function reader(step: ReadStep) {
  const text = (name: string) => {
    const value = step[name]
    if (value === undefined) throw new Error(`a step ${step.kind} has no ${name}`)
    return String(value)
  }
  return Object.assign((name: string) => rational(text(name)), { text, has: (name: string) => name in step })
}

const STEPS: Record<string, (amount: Rational, read: Reader) => Rational> = {
  above: (amount, read) => minus(amount, read('cents')),
  percent: (amount, read) => over(times(amount, read('percent')), PERCENT),
  risingPercent: (amount, read) => {
    const percent = plus(read('percent'), over(minus(amount, read('aboveCents')), read('divisorCents')))
    const lastPlace = over(WHOLE, { n: 10n ** BigInt(read.text('decimals')), d: 1n })
    return over(times(amount, rounded(percent, lastPlace, read.text('mode'))), PERCENT)
  },
  perPart: (amount, read) => times(counted(over(amount, read('perCents')), 'up'), read('rateCents')),
  plus: (amount, read) => plus(amount, read('cents')),
  less: (amount, read) => minus(amount, read('cents')),
  atLeast: (amount, read) => largest([amount, read('cents')]),
  atMost: (amount, read) => smallest([amount, read('cents')]),
  round: (amount, read) => rounded(amount, read('toCents'), read.text('mode')),
  term: (amount, read) => times(amount, read('factor')),
  percentOff: (amount, read) => over(times(amount, minus(PERCENT, read('percent'))), PERCENT),
  amountOff: (amount, read) => minus(amount, forTerm(read)),
  set: (_amount, read) => forTerm(read),
}

const forTerm = (read: Reader) => (read.has('factor') ? times(read('cents'), read('factor')) : read('cents'))

const counted = (count: Rational, part: string) => (part === 'prorata' ? count : rounded(count, WHOLE, part))

/** `up` is away from zero, `down` towards zero, `halfUp` the nearest with halves away from zero. */
function rounded(amount: Rational, to: Rational, mode: string): Rational {
  const { n, d } = over(amount, to)
  const size = n < 0n ? -n : n
  const parts = { up: (size + d - 1n) / d, down: size / d, halfUp: (2n * size + d) / (2n * d) }[mode]
  if (parts === undefined) throw new Error(`${mode} is no way of rounding`)
  return times({ n: n < 0n ? -parts : parts, d: 1n }, to)
}

export const isSame = (a: Rational, b: Rational): boolean => !greater(a, b) && !greater(b, a)

/** The cents that an account leads to; throws where these are not whole, or a step says that it leaves another amount. */
export function centsOf(account: readonly ReadStep[]): number {
  const amounts = recompute(account)
  for (const [at, amount] of amounts.entries()) {
    const { kind, leavesCents } = account[at]!
    if (!isSame(amount, rational(String(leavesCents)))) throw new Error(`step ${at}, ${kind}, does not leave ${leavesCents}`)
  }
  const last = amounts.at(-1)
  if (last === undefined) throw new Error('the account has no step')
  const { n, d } = last
  if (n % d !== 0n) throw new Error(`the account ends with ${n}/${d} cents`)
  return Number(n / d)
}
