import { Type, type Static } from 'typebox'
import { OneOf } from '#rates/engine/grammar/scalar.ts'

const Time = Type.String({ format: 'date-time', maxLength: 64 })

/** metav1.Condition. */
export const Condition = Type.Object({
  type: Type.String({ pattern: '^[A-Za-z]+$', maxLength: 64, description: 'The aspect that the condition describes.' }),
  status: OneOf(['True', 'False', 'Unknown'], 'Whether it is so.'),
  reason: Type.String({
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    maxLength: 256,
    description: 'One word for programs.',
  }),
  message: Type.String({ maxLength: 32_768, description: 'The reason in words, for people.' }),
  observedGeneration: Type.Integer({
    minimum: 0,
    description: 'The generation of the object that the condition describes.',
  }),
  lastTransitionTime: Type.Unsafe<string>({ ...Time, description: 'When the status last changed.' }),
})

export const Conditions = Type.Array(Condition, {
  maxItems: 16,
  description: 'Ready is the summary; Reconciling and Stalled are present only while true.',
})

export const ObservedGeneration = Type.Integer({
  minimum: 0,
  description: 'The generation of the object that this status describes.',
})

/** `sha256:<hex>`. */
export const Digest = (description: string) =>
  Type.String({ pattern: '^sha256:[0-9a-f]{64}$', maxLength: 71, description })

export type Condition = Static<typeof Condition>
