import type { Program } from '../compile/program.ts'
import type { QuoteDefaults } from './inputs.ts'
import { differsOn, type OtherTerms, type PricedRequest } from './reprice.ts'
import type { QuoteRequest } from '../request.ts'
import { say } from './request-notes.ts'

/** Warns when luxury car tax was sent as already paid on a new vehicle that nobody used, and changes no figure. */
export function sayTaxOfNew(
  request: QuoteRequest,
  defaults: QuoteDefaults,
  program: Program,
  priced: PricedRequest,
): void {
  if (defaults.condition !== 'new' || wasUsed(request)) return
  // Nearly every request: the copies below would be a thirtieth of its time.
  if (request.pricingInputs.lctPreviouslyPaid === undefined && request.lctPreviouslyPaid === undefined) return
  const { lctPreviouslyPaid: within, ...pricingInputs } = request.pricingInputs
  const { lctPreviouslyPaid: above, ...rest } = request
  const unsent: OtherTerms = { defaults, changed: ['lctPreviouslyPaid'] }
  if (differsOn(unsent, priced, { ...rest, pricingInputs }, program)) return
  const reason =
    'lctPreviouslyPaid is ignored: the vehicle is new, and is not sent as a demonstrator or as registered before.'
  const paths = [...(within === undefined ? [] : ['/pricingInputs']), ...(above === undefined ? [] : [''])]
  for (const [index, path] of paths.entries()) {
    const ignored = { kind: 'ignored', path: `${path}/lctPreviouslyPaid`, assumed: null, reason } as const
    if (index === 0) say(priced.messages, ignored)
    else priced.messages.assumptions.push(ignored)
  }
}

/**
 * Whether a dealer used the vehicle that is sold as new: the vehicle then bore the tax already, and is credited with
 * it.
 */
function wasUsed({ vehicleGeneric, registration }: QuoteRequest): boolean {
  const { demonstrator, previouslyRegistered, firstRegisteredDate = registration.startDate } = vehicleGeneric ?? {}
  return demonstrator === true || previouslyRegistered === true || firstRegisteredDate < registration.startDate
}
