import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Largest, Moved, Shadow } from '#rates/shadow/shadow.ts'
import { dollars, signed } from '../money.ts'
import { counted } from '../output.ts'
import type { Terminal } from '../terminal.ts'

interface Labelled {
  label: string
  release: string
}

/** Lines of a file that are named as not priced. */
const NAMED = 5

/** What moves, for a terminal: first what `diff` does not explain. */
export function shadowLines(found: Shadow, [current, candidate]: [Labelled, Labelled], terminal: Terminal): string[] {
  const { paint } = terminal
  const { requests, different, unexplained, moved } = found
  const title = (text: string) => ['', paint('underline', text)]
  return [
    paint('bold', `${current.label} → ${candidate.label}`),
    paint('dim', `release ${current.release} → ${candidate.release}`),
    `${counted(requests, 'request')}, ${different === 0 ? 'none of which moves' : `${different} of which ${different === 1 ? 'moves' : 'move'}`}`,
    ...skippedLines(found),
    ...(unexplained.length > 0 ? title('What diff does not explain') : []),
    ...unexplained.flatMap((each) => movedLines(each, terminal)),
    ...(different > 0 && unexplained.length === 0 ? ['diff explains everything that moves.'] : []),
    ...(moved.length > 0 ? title('What moves, by component') : []),
    ...moved.flatMap((each) => movedLines(each, terminal)),
  ]
}

function skippedLines({ notPriced }: Shadow): string[] {
  if (notPriced.length === 0) return []
  const named = notPriced.slice(0, NAMED).map(({ line, why }) => `line ${line} ${why}`)
  const more = notPriced.length > NAMED ? `, and ${notPriced.length - NAMED} more` : ''
  return [`not priced: ${named.join(', ')}${more}`]
}

function movedLines(moved: Moved, { paint }: Terminal): string[] {
  const { pricingCode, component, requests, of, least, most, sum, largest } = moved
  const range = least === most ? signed(least) : `${signed(least)} to ${signed(most)}`
  const what = component === 'answer' ? 'another answer' : component
  return [
    `  ${pricingCode} ${what}: ${requests} of ${counted(of, 'request')}, ${range}, ${signed(sum)} in all`,
    paint('dim', `    line ${largest.line}, ${requestWords(largest.request)}: ${amountsOf(largest)}`),
  ]
}

function amountsOf({ before, after, driveAway }: Largest): string {
  const [was, is] = driveAway.map((cents) => (cents === null ? 'not priced' : dollars(cents)))
  return `${amountWords(before)} → ${amountWords(after)}, drive-away ${was} → ${is}`
}

const amountWords = (amount: Largest['before']): string =>
  amount === null ? 'no line' : typeof amount === 'number' ? dollars(amount) : amount

/** The facts that distinguish a request most, in words. */
function requestWords({ vehicleGeneric = {}, pricingInputs, registration }: QuoteRequest): string {
  const { condition, bodyType, fuelType } = vehicleGeneric
  const value = pricingInputs.dutiable.reduce((sum, line) => sum + line.value, 0)
  const facts = [condition, bodyType, fuelType, `of ${dollars(value)}`].filter((each) => each !== undefined)
  const { startDate, postcode } = registration
  return `${facts.join(' ')} from ${startDate}${postcode === undefined ? '' : ` in ${postcode}`}`
}
