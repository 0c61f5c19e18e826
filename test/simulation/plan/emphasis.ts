import type { Profile } from './profile.ts'

/** What seeds dwell on: some moments are so rare in a plan of everything that a fault of them is hardly ever found. */
export interface Emphasis {
  /** How often a kind of edit happens beside the others, in place of what the plan says. */
  weights: Readonly<Record<string, number>>
  /** What the weights of all other kinds are multiplied by. */
  others: number
  /** How often calls and streams go wrong; by default each seed has a measure of its own. */
  harm?: number
  /** Share of the calls that arrive late; by default one that follows from `harm`. */
  delayed?: number
  /** How many edits there are, and how many calls lie between them. */
  plan?: { count: number; spacing: number }
  profile?: Partial<Profile>
}

export const EMPHASES = {
  everything: { weights: {}, others: 1 },
  // The first operator leaves much that nobody needs. To the second, a quarter of an hour has passed: it deletes, while the
  // first one needs some of it again.
  'contents that come back': {
    weights: { 'one of many contents': 60, 'both operators lead': 3, 'the first operator leads': 3 },
    others: 0,
    harm: 0.3,
    profile: { isElected: false, isAttested: false, apartMs: 540_000 },
  },
  // One operator looks for what nobody needs, and knows of a new shard before it knows why the other one has made it.
  'shards before their reason': {
    weights: { 'one of many contents': 60, 'shard deleted': 30, 'both operators lead': 10 },
    others: 0,
    harm: 0,
    delayed: 0.1,
    profile: { isElected: false, isAttested: false, lateMs: 2000 },
  },
  // Whatever tells of a set is taken away, and its object may be at fault.
  'everything is lost': {
    weights: { 'shard deleted': 30, 'index deleted': 20, 'history deleted': 24, 'bad edit': 24, 'good edit': 30 },
    others: 0.1,
    harm: 0.2,
    profile: { isElected: false, isAttested: false },
  },
  // Somebody restores a part of what was published.
  'an index put together by hand': {
    weights: { 'good edit': 60, 'index of mixed contents': 10 },
    others: 0.1,
    harm: 0.2,
    profile: { isAttested: false },
  },
  // Small in a file and large to a check: at 1d15e88, two kilobytes ended the operator again and again.
  'sets that are hard to judge': {
    weights: { 'edit of nested classes': 6, 'edit of many cases': 6, 'good edit': 30, 'client edit': 6 },
    others: 0,
    profile: { isAttested: false },
  },
  // Objects that a check cannot cope with, beside good ones.
  'sets that divide by zero': {
    weights: { 'edit that divides by zero': 6, 'good edit': 30 },
    others: 0,
    harm: 0.2,
    profile: { isAttested: false },
  },
  // What one leader published and another one changed comes back under the first.
  'leaders in turn': {
    weights: { 'suspension switched': 60, 'leader changed': 30, 'good edit': 2 },
    others: 0,
    harm: 0.4,
    profile: { isElected: false, isAttested: false },
  },
  // Readers of the version before are replaced, one by one, by those of this version, and back.
  'an upgrade': {
    weights: { 'good edit': 30, 'client edit': 16, 'reader killed': 14, 'operator killed': 4, 'leader changed': 4 },
    others: 0,
    harm: 0,
    // Time passes between the edits: nobody knows at once which readers there are.
    plan: { count: 40, spacing: 80 },
    profile: { hasOldReaders: true, isAttested: false },
  },
  // Nothing goes wrong and no time is lost: what takes long all the same is a fault.
  'suspensions on a calm day': {
    weights: { 'good edit': 30, 'client edit': 40, 'coupled edit': 6 },
    others: 0,
    harm: 0,
    profile: { isCalm: true, isElected: false, isAttested: false },
  },
  // Both operators find the lease free, and each reads it before the other has taken it.
  'a free lease': {
    weights: { 'operator killed': 40, 'good edit': 10 },
    others: 0,
    harm: 0,
    plan: { count: 60, spacing: 10 },
    profile: { isElected: true, isAttested: false, timePasses: 0.3 },
  },
  // Both operators make the next key, or let it sign, at the same time.
  'keys of two operators': {
    weights: { 'time jump': 40, 'both operators lead': 20, 'signing keys deleted': 4, 'reader killed': 4 },
    others: 0,
    harm: 0.3,
    profile: { isElected: false, isAttested: false },
  },
  // More releases within a quarter of an hour than anything that is kept of each of them has room for.
  'hundreds of releases': {
    weights: { 'edit of one state': 1 },
    others: 0,
    harm: 0,
    plan: { count: 900, spacing: 30 },
    profile: { isCalm: true, isElected: false, isAttested: false, readers: 1 },
  },
} as const satisfies Record<string, Emphasis>

export type EmphasisName = keyof typeof EMPHASES

export function emphasisOf(name: string = 'everything'): Emphasis {
  const found: Emphasis | undefined = (EMPHASES as Readonly<Record<string, Emphasis>>)[name]
  if (!found) throw new Error(`there is no emphasis ${name}; there are ${Object.keys(EMPHASES).join(', ')}`)
  return found
}
