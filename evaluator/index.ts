/**
 * Driveaway's engine as a package for Node and browsers: opens a signed bundle of one release and gives the same
 * answers as the pricing API, byte for byte, without a server. See README.md.
 */
export { openBundle, RequestRefused, THIS_ENGINE } from './open-bundle.ts'
export type { Bytes, Evaluator, RefusalCode } from './open-bundle.ts'
export { followReleases } from './follow-releases.ts'
export type { FollowedReleases, FollowOptions } from './follower.ts'
export { ReleaseFault } from '../rates/release/signed.ts'
export type { RefusedBecause, ReleaseKey, ReleaseKeys } from '../rates/release/signed.ts'
export type { BundleClaims, Engine } from '../rates/release/bundle.ts'
export type { Refusal } from '../rates/answers/refusal.ts'
export type { Quote, QuoteLine } from '../rates/engine/answer.ts'
export type { QuoteRequest, RequestLine, Target, Vehicle } from '../rates/engine/request.ts'
export type { TargetAnswer } from '../rates/engine/target/target.ts'
export type { RulesAnswer, RulesQuery } from '../rates/answers/list-rules.ts'
export type { ChangesAnswer, ChangesQuery } from '../rates/answers/list-changes.ts'
export type { JurisdictionsAnswer, JurisdictionsQuery } from '../rates/answers/list-jurisdictions.ts'
