import { Type, type Static } from 'typebox'
import { Label, Name, Text } from './scalar.ts'

export const ZoneList = Type.Object({
  name: Name('What rules of this set call it.'),
  label: Type.Optional(Label),
  description: Type.Optional(Text('Who draws the zones.')),
  values: Type.Array(
    Type.Object({
      zone: Name('The zone.'),
      label: Type.Optional(Label),
      postcodes: Type.Array(Type.String({ pattern: '^[0-9]{4}(-[0-9]{4})?$', maxLength: 9 }), {
        minItems: 1,
        maxItems: 200,
      }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
})

export type ZoneList = Static<typeof ZoneList>
