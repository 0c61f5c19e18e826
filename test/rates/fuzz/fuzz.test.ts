import { afterAll, expect, test } from 'vitest'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot } from '#rates/engine/snapshot.ts'
import { schemaFaults } from '#rates/checks/schema.ts'
import { encodeRateSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { startCheckThread } from '../../../operator/rate-set/check-thread.ts'
import { mutated, randomOf } from './mutate.ts'
import { committedFiles } from '../committed-files.ts'

// What the schema accepts never throws and never takes longer than the operator allows: in a check, in encoding, or
// when an API process compiles it. `SECONDS=600 SEED=7` runs longer, or runs one seed again.

const SECONDS = Number(process.env['SECONDS'] ?? 20)
const SEEDS = process.env['SEED'] ? [Number(process.env['SEED'])] : [1, Math.floor(Math.random() * 2 ** 31)]
// What etcd stores of one object.
const MOST_BYTES = 1_500_000
/** The faults that say that a check could not cope. */
const NEVER = ['check-crashed', 'check-deadline', 'check-memory']

// As the operator starts it.
const thread = startCheckThread({ deadlineMs: 5000, megabytes: 128, log: { warn: () => undefined } })
afterAll(() => thread.stop())

const sets = committedFiles.map(({ spec }) => spec as RateSetSpec)

const importsOf = ({ imports, financialYear }: RateSetSpec) =>
  sets.filter((each) => each.financialYear === financialYear && imports?.includes(each.pricingCode))

const named = (spec: RateSetSpec) => rateSetName(spec.pricingCode, spec.financialYear)

/** What goes wrong with a set that the schema accepts, if anything. */
async function wrongWith(spec: RateSetSpec): Promise<string | undefined> {
  const imports = importsOf(spec)
  const faults = await thread.check({ name: named(spec), spec, imports })
  const never = faults.find(({ check }) => NEVER.includes(check))
  if (never || faults.length > 0) return never && `${never.check}: ${never.message}`
  const loaded = [...imports, spec].map((each) => ({ name: named(each), digest: 'd', spec: each, imports: {} }))
  const before = process.threadCpuUsage()
  encodeRateSet(named(spec), spec)
  buildSnapshot({ release: 'fuzz', sets: loaded })
  const { user } = process.threadCpuUsage(before)
  return user < 5_000_000 ? undefined : 'encoding and compiling took longer than 5 s'
}

test.each(SEEDS)(
  'whatever the schema accepts is judged, encoded and compiled: seed %i',
  async (seed) => {
    const random = randomOf(seed)
    const until = performance.now() + (SECONDS * 1000) / SEEDS.length
    let tried = 0
    let passed = 0
    while (performance.now() < until) {
      const spec = mutated(sets[Math.floor(random() * sets.length)]!, random)
      if (JSON.stringify(spec).length > MOST_BYTES || schemaFaults(RateSetSpec, spec).length > 0) continue
      tried += 1
      const wrong = await wrongWith(spec).catch((error: Error) => `thrown: ${error.stack}`)
      expect(wrong, `seed ${seed}, set ${tried}: ${JSON.stringify(spec).slice(0, 2000)}`).toBeUndefined()
      passed += 1
    }
    console.log(`seed ${seed}: ${passed} of ${tried} accepted sets judged`)
    expect(tried).toBeGreaterThan(0)
  },
  (SECONDS + 120) * 1000,
)
