import type { Program } from '../compile/program.ts'
import type { QuoteDefaults } from './inputs.ts'
import { differsOn, type OtherTerms, type Priced } from './reprice.ts'
import type { QuoteRequest } from '../request.ts'
import { say } from './request-notes.ts'

/** Says so where luxury car tax was sent as paid before for a new vehicle, and changes no figure: there was no sale before. */
export function sayTaxOfNew(request: QuoteRequest, defaults: QuoteDefaults, program: Program, priced: Priced): void {
  if (defaults.condition !== 'new') return
  const { lctPreviouslyPaid: within, ...pricingInputs } = request.pricingInputs
  const { lctPreviouslyPaid: above, ...rest } = request
  if (within === undefined && above === undefined) return
  const unsent: OtherTerms = { defaults, changed: ['lctPreviouslyPaid'] }
  if (differsOn(unsent, priced, { ...rest, pricingInputs }, program)) return
  const reason = 'lctPreviouslyPaid is ignored: the vehicle is new, and only a used vehicle is credited with luxury car tax paid before.'
  const paths = [...(within === undefined ? [] : ['/pricingInputs']), ...(above === undefined ? [] : [''])]
  for (const [index, path] of paths.entries()) {
    const ignored = { kind: 'ignored', path: `${path}/lctPreviouslyPaid`, assumed: null, reason } as const
    if (index === 0) say(priced.messages, ignored)
    else priced.messages.assumptions.push(ignored)
  }
}
