import type { ChangesAnswer, ChangesQuery } from '../rates/answers/list-changes.ts'
import type { JurisdictionsAnswer, JurisdictionsQuery } from '../rates/answers/list-jurisdictions.ts'
import type { RulesAnswer, RulesQuery } from '../rates/answers/list-rules.ts'
import { clipRefusal, refusalOf, type FieldError, type Refusal } from '../rates/answers/refusal.ts'
import { PricingFault, type PricingCodeOfFault, type Quote } from '../rates/engine/answer.ts'
import { quote } from '../rates/engine/quote/quote.ts'
import type { QuoteRequest, Target } from '../rates/engine/request.ts'
import type { Snapshot } from '../rates/engine/snapshot.ts'
import type { TargetAnswer } from '../rates/engine/target/target.ts'
import { readBundle, snapshotOfBundle, type BundleClaims, type Engine } from '../rates/release/bundle.ts'
import { inForceAt, provenPeriods, timeOf } from '../rates/release/in-force.ts'
import { publicKeysIn } from '../rates/release/public-keys.ts'
import { ReleaseFault, type ReleaseKey, type ReleaseKeys } from '../rates/release/signed.ts'

declare const DRIVEAWAY_ENGINE: Engine | undefined

/** The engine of this package; undefined when it runs from source. */
export const THIS_ENGINE: Engine | undefined = typeof DRIVEAWAY_ENGINE === 'undefined' ? undefined : DRIVEAWAY_ENGINE

/** Bytes in memory. */
export type Bytes = ArrayBuffer | ArrayBufferView

/** Answers requests with one release, as the pricing API does. Money is in integer cents, dates are `YYYY-MM-DD`. */
export interface Evaluator {
  /** `sha256:<hex>`, which each answer names as its release. */
  readonly release: string
  /** The signed claims: environment, time (`iat`, seconds since 1970), engine and attestations. */
  readonly claims: BundleClaims
  /** Id of the key that signed. */
  readonly kid: string
  /** Whether this package has exactly the engine that made the bundle; undefined when it runs from source. */
  readonly isSameEngine: boolean | undefined
  /** `POST /v1/quote`; throws RequestRefused. */
  quote(request: QuoteRequest): Quote
  /** `POST /v1/quote/target-drive-away`; rejects with RequestRefused. */
  target(request: QuoteRequest & { target: Target }): Promise<TargetAnswer>
  /** `GET /v1/rules`; rejects with RequestRefused. */
  rules(query: RulesQuery): Promise<RulesAnswer>
  /** `GET /v1/changes`; rejects with RequestRefused. The first call takes about a second. */
  changes(query: ChangesQuery): Promise<ChangesAnswer>
  /** `GET /v1/jurisdictions`; rejects with RequestRefused. The first call takes some seconds. */
  jurisdictions(query?: JurisdictionsQuery): Promise<JurisdictionsAnswer>
}

/** The code of a refusal: also of what the API can do, and a bundle cannot. */
export type RefusalCode = PricingCodeOfFault | 'UNKNOWN_RELEASE' | 'RECEIPT_NOT_AVAILABLE'

/** A request that the API would refuse; `refusal` is the body of its answer. */
export class RequestRefused extends Error {
  readonly refusal: Refusal<RefusalCode>

  constructor(refusal: Refusal<RefusalCode>) {
    super(refusal.message)
    this.name = 'RequestRefused'
    this.refusal = refusal
  }
}

/**
 * Verifies a bundle and compiles its rates; throws ReleaseFault unless one of the keys signed it and every digest is
 * correct.
 */
export async function openBundle(bytes: Bytes, keys: ReleaseKeys | readonly ReleaseKey[]): Promise<Evaluator> {
  const { kid, claims, content } = await readBundle(copyOf(bytes), trusted(keys))
  const snapshot = snapshotOfBundle(content)
  return Object.freeze({
    release: content.release,
    claims,
    kid,
    isSameEngine: THIS_ENGINE && THIS_ENGINE.digest === claims.engine.digest,
    quote: (request: QuoteRequest) => {
      checkOptions(request, claims)
      return answering('/body', () => quote(request, snapshot))
    },
    ...rarer(snapshot, claims),
  })
}

/** The parts that a quoting page does not need; each is loaded when first used. */
function rarer(
  snapshot: Snapshot,
  claims: BundleClaims,
): Pick<Evaluator, 'target' | 'rules' | 'changes' | 'jurisdictions'> {
  const load = () => import('./reports.ts')
  let reports: ReturnType<Awaited<ReturnType<typeof load>>['reportsOf']> | undefined
  const reportsOf = async () => (reports ??= (await load()).reportsOf(snapshot))
  return {
    target: async (request) => {
      checkOptions(request, claims)
      const { solveTarget } = await import('../rates/engine/target/target.ts')
      return answering('/body', () => solveTarget(request, request.target, snapshot))
    },
    rules: async (query) => {
      const { rules } = await reportsOf()
      return answering('', () => rules(query))
    },
    changes: async (query) => {
      const { changes } = await reportsOf()
      return answering('', () => changes(query))
    },
    jurisdictions: async (query = {}) => {
      const { jurisdictions } = await reportsOf()
      return answering('', () => jurisdictions(query))
    },
  }
}

/** Refuses what the API does with other releases and with a private key; throws RequestRefused. */
function checkOptions({ options }: QuoteRequest, claims: BundleClaims): void {
  const { asKnownAt, receipt } = options ?? {}
  if (asKnownAt !== undefined && !isOfBundle(asKnownAt, claims))
    throw refused('UNKNOWN_RELEASE', 'asKnownAt', `This bundle is release ${claims.release}; it has no other one.`)
  if (receipt === true)
    throw refused('RECEIPT_NOT_AVAILABLE', 'receipt', 'A bundle signs no receipts; ask the API for one.')
}

/** Whether a text names the release of a bundle, or a time at which the signed claims say that it was in force. */
function isOfBundle(text: string, { release, inForce = [], iat }: BundleClaims): boolean {
  const at = timeOf(text)
  return at === undefined ? text === release : inForceAt([{ inForce: provenPeriods(inForce, iat) }], at) !== undefined
}

function refused(code: RefusalCode, option: string, message: string): RequestRefused {
  const fault: FieldError = { path: `/body/options/${option}`, message, errorCode: code }
  return new RequestRefused({ code, message, errors: [fault] })
}

function answering<T>(root: string, compute: () => T): T {
  try {
    return compute()
  } catch (thrown) {
    if (thrown instanceof PricingFault) throw new RequestRefused(clipRefusal(refusalOf(thrown, root)))
    throw thrown
  }
}

/** The keys; throws ReleaseFault for what is no list of public keys. */
function trusted(keys: unknown): ReleaseKey[] {
  try {
    return publicKeysIn(keys)
  } catch (fault) {
    throw new ReleaseFault('unknown_key', `the keys cannot be used: ${(fault as Error).message}`)
  }
}

/** Copies the bytes, so that nobody can change them while they are being read. */
const copyOf = (bytes: Bytes): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength).slice()
    : new Uint8Array(bytes.slice(0))
