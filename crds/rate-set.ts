import { Type, type Static } from 'typebox'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { IsoDate } from '#rates/engine/grammar/scalar.ts'
import type { Kind } from './kind.ts'
import { RATE_SET_RULES } from './rules.ts'
import { Conditions, Digest, ObservedGeneration } from './status.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Day = (description: string) => Type.Unsafe<string>({ ...IsoDate, description })

/** The state of a rate set as reported by the operator. */
export const RateSetStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    conditions: Type.Optional(Conditions),
    digest: Type.Optional(Digest('The attested digest of the content that is published.')),
    shortDigest: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{12}$', maxLength: 12, description: 'Its first 12 hex digits, for tables.' }),
    ),
    release: Type.Optional(Digest('The release that brought this digest in.')),
    servedSince: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 64,
        description: 'When every API process first served this digest: the soak time starts then.',
      }),
    ),
    examples: Type.Optional(
      Type.Object(
        {
          passed: Count('Worked examples that come out as expected.'),
          total: Count('Worked examples of the set.'),
          summary: Type.Optional(
            Type.String({ pattern: '^[0-9]+/[0-9]+$', maxLength: 16, description: 'Both, for tables.' }),
          ),
        },
        { description: 'The results of the worked examples of the newest content.' },
      ),
    ),
    covered: Type.Optional(
      Type.Object(
        {
          startDate: Day('First day.'),
          endDate: Day('Last day.'),
        },
        { description: 'The dates that the published content covers, both included.' },
      ),
    ),
    evidence: Type.Optional(
      Type.Object(
        {
          official: Type.Optional(Count('Figures that stand in an official source.')),
          secondary: Type.Optional(Count('Figures from another source.')),
          derived: Type.Optional(Count('Figures worked out from official ones.')),
          estimate: Type.Optional(Count('Figures that are estimates, and say so in each quote.')),
        },
        { description: 'How many figures have each grade of evidence.' },
      ),
    ),
    emergency: Type.Optional(
      Type.Object(
        {
          kid: Type.String({ maxLength: 64, description: 'The key that signed it.' }),
          reason: Type.String({ maxLength: 500, description: 'Why production did not wait for staging.' }),
          until: Type.String({ maxLength: 32, description: 'When it ends, ISO; what it published stays.' }),
        },
        { description: 'The emergency attestation on which this digest is published, until staging has attested it.' },
      ),
    ),
    attestation: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
        maxLength: 8192,
        description: "Staging's signed statement that this digest passed its soak time there: a compact JWS.",
      }),
    ),
  },
  { description: 'The state of the rate set; only the operator writes it.' },
)

export type RateSetStatus = Static<typeof RateSetStatus>

/** The kind RateSet: the statutory rates of one pricing code for one financial year. */
export const RATE_SET: Kind = {
  kind: 'RateSet',
  plural: 'ratesets',
  shortNames: ['rset', 'rsets'],
  description:
    'The statutory rates of one pricing code for one financial year, with their sources and worked examples.',
  spec: RateSetSpec,
  status: RateSetStatus,
  rules: RATE_SET_RULES,
  columns: [
    { name: 'Year', type: 'string', jsonPath: '.spec.financialYear' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Loaded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Loaded")].status' },
    { name: 'Digest', type: 'string', jsonPath: '.status.shortDigest' },
    { name: 'Examples', type: 'string', jsonPath: '.status.examples.summary' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  shown: ['au-nt-fy27', '2026-2027', 'True', 'True', '3f1c9a52d8e0', '1/1', '2m'],
}
