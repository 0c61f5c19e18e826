import { Type, type Static } from 'typebox'
import { schemaFaults } from '../checks/schema.ts'
import { PricingCode, Text } from '../engine/grammar/scalar.ts'
import { parseDocument, valueOf } from '../files/document.ts'
import { describeFault } from '../files/located.ts'

const NotExecuted = Type.Object({
  figures: Type.Array(
    Type.Object({
      pricingCode: PricingCode,
      figure: Text('What the source prints.'),
      label: Text('Title of the source.', 256),
      url: Type.String({ pattern: '^https?://', maxLength: 1024 }),
      reason: Text('Why nothing executes it.'),
    }),
  ),
})

/** An official figure that no example and no case executes, and why. */
export type NotExecuted = Static<typeof NotExecuted>['figures'][number]

/** Reads the list of official figures that nothing executes; throws one error with every fault of the file. */
export function parseNotExecuted(text: string, file: string): NotExecuted[] {
  const document = parseDocument(text, file)
  const value = valueOf(document) as Static<typeof NotExecuted>
  const faults = schemaFaults(NotExecuted, value).map((fault) =>
    describeFault({ ...fault, file, ...document.locate(fault.path) }),
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return value.figures
}
