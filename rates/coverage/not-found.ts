import { Type, type Static } from 'typebox'
import { schemaFaults } from '../checks/schema.ts'
import { Name, PricingCode, Text } from '../engine/grammar/scalar.ts'
import { parseDocument, valueOf } from '../files/document.ts'
import { describeFault } from '../files/located.ts'

const NotFound = Type.Object({
  figures: Type.Array(
    Type.Object({
      pricingCode: PricingCode,
      component: Name('The component of which it is a figure.'),
      financialYears: Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{4}$' }), { minItems: 1 }),
      figure: Text('Which figure, and for which vehicles.'),
      searched: Text('What was searched for it, and what was found instead.', 1024),
    }),
  ),
})

/** A figure that was not found at all, or not on an official page, and where it was searched for. */
export type NotFound = Static<typeof NotFound>['figures'][number]

/** Reads a list of such figures; throws one error with every fault of the file. */
export function parseNotFound(text: string, file: string): NotFound[] {
  const document = parseDocument(text, file)
  const value = valueOf(document) as Static<typeof NotFound>
  const faults = schemaFaults(NotFound, value).map((fault) =>
    describeFault({ ...fault, file, ...document.locate(fault.path) }),
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return value.figures
}
