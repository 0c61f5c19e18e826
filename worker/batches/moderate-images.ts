import pMap from 'p-map'
import type { Asset, Item } from '#inventory/batch.ts'
import { parseExactly } from '#inventory/exact-json.ts'
import { MOST_PICTURES, picturesOf, type Picture } from '#inventory/pictures.ts'
import { removedWith } from '#inventory/picture-fields.ts'
import { withoutPlaces } from '#inventory/place.ts'
import { jobItemId, type ImageModeration, type JobError } from '#inventory/job.ts'
import { createTurns, type Turns } from '#runtime/turns.ts'
import type { ImageModerator, ImageVerdict } from '../moderation/types.ts'
import {
  isAway,
  settled,
  whileAway,
  type AwayStore,
  type Judged,
  type JudgedPictures,
  type LateAssets,
  type PictureOwner,
} from './pictures-away.ts'

/**
 * Rejected pictures of an item that get an error each; the others share one error per code, which limits the size of a
 * job.
 */
const NAMED_ALONE = 20

/**
 * Items of one client, and pictures of one item, that are submitted at once: enough for the fetches of one client, and few in memory. A picture that is
 * submitted takes about 3 kB until it has its verdict, and a batch can have ten thousand.
 */
const ITEMS_OF_ONE_CLIENT = 8
const PICTURES_OF_ONE_ITEM = 16

/**
 * Stored vehicles that are read at once because a source is away, and of one client. A vehicle can have megabytes, and so can each of a
 * hundred of a batch of a few kilobytes.
 */
const STORED_AT_ONCE_OF_ALL = 8
export const STORED_AT_ONCE = 4

/** What the batches of a worker do at once, in turns of clients. */
export interface BatchTurns {
  /** The items whose pictures are judged, so that all others wait as text. */
  items: Turns
  /** The stored vehicles that are in memory, whether to look what they have or to store what follows them. */
  stored: Turns
}

/** As many items as a client has pictures fetched at once. */
export const batchTurns = (picturesOfOneClient = 0): BatchTurns => ({
  items: createTurns({ atOnce: Infinity, ofOneClient: Math.max(ITEMS_OF_ONE_CLIENT, picturesOfOneClient) }),
  stored: createTurns({ atOnce: STORED_AT_ONCE_OF_ALL, ofOneClient: STORED_AT_ONCE }),
})

/** The owner of the pictures, and until when they are moderated. */
export interface ImageOwner extends PictureOwner {
  signal: AbortSignal
  store: AwayStore
  turns: Pick<BatchTurns, 'stored'>
}

export interface ModeratedItem {
  item: Item
  images: ImageModeration
  errors: readonly JobError[]
  /** Present when some of the pictures are tried again. */
  late?: LateAssets
}

/** The verdicts on the pictures of an item, which is parsed again when they are there: they may take minutes. */
export async function judgePictures(
  owner: ImageOwner,
  moderator: ImageModerator,
  { json, index }: { json: string; index: number },
): Promise<JudgedPictures> {
  const verdicts = await judgeAll(owner, moderator, picturesOf(parseExactly<Item>(json)))
  if (!verdicts.some(isAway)) return { verdicts }
  return owner.turns.stored.take(owner.clientId, owner.signal, () =>
    whileAway(owner, { item: parseExactly<Item>(json), index, verdicts }, owner.store),
  )
}

/** An item with its accepted pictures, the verdict on each picture, and the errors of the rejected ones. */
export function moderatedItem(
  jobId: string,
  {
    item,
    index,
    judged: found,
    stored,
  }: { item: Item; index: number; judged: JudgedPictures; stored?: Item | undefined },
): ModeratedItem {
  const { judged, asBefore, late } = settled(item, found, stored)
  const about = { job_item_id: jobItemId(jobId, index), index }
  const sources = (isAccepted: boolean) =>
    judged.filter(({ verdict }) => verdict.accepted === isAccepted).map(({ picture: { src } }) => ({ src }))
  return {
    item: withoutRejected(item, judged, asBefore),
    images: { ...about, accepted: sources(true), rejected: sources(false) },
    errors: errorsOf(judged, about),
    ...(late && { late }),
  }
}

function judgeAll(
  { jobId, clientId, signal }: ImageOwner,
  moderator: ImageModerator,
  pictures: readonly Picture[],
): Promise<ImageVerdict[]> {
  const judge = (picture: Picture) => {
    const { src, mayBeSmall: isLogo = false } = picture
    return moderator.judge({ src, jobId, clientId, signal, isLogo })
  }
  // Not `inParallel`, which waits for what it has begun: a failure ends the attempt at once.
  return pMap(pictures, judge, { concurrency: PICTURES_OF_ONE_ITEM })
}

/**
 * An asset is removed when any of its addresses was rejected, unless the vehicle has it as it was before; a picture outside of the
 * assets is removed with its field, or with its entry of a list of pictures.
 */
function withoutRejected(item: Item, judged: readonly Judged[], asBefore?: ReadonlyMap<number, Asset>): Item {
  const rejected = judged.flatMap(({ picture, verdict }) => (verdict.accepted ? [] : picture))
  if (rejected.length === 0) return item
  const positions = new Set(rejected.map(({ position }) => position))
  const assets = (item.assets || undefined)?.flatMap((asset, position) =>
    positions.has(position) ? (asBefore?.get(position) ?? []) : asset,
  )
  const rest = withoutPlaces(
    item,
    rejected.flatMap(({ place }) => (place ? [removedWith(place)] : [])),
  )
  return { ...rest, ...(assets && { assets }) }
}

type About = Pick<JobError, 'job_item_id' | 'index'>

interface Rejection {
  path: string
  position: number | undefined
  code: string
  message: string
}

function errorsOf(judged: readonly Judged[], about: About): JobError[] {
  const rejections = judged.flatMap(({ picture: { path, position }, verdict }): Rejection[] =>
    verdict.accepted ? [] : [{ path, position, code: verdict.code, message: verdict.message }],
  )
  const item = `/items/${about.index}`
  const alone = rejections
    .slice(0, NAMED_ALONE)
    .map(({ path, code, message }) => ({ ...about, path: `${item}${path}`, code, message }))
  const others = Map.groupBy(rejections.slice(NAMED_ALONE), ({ code, position }) => `${code} ${position === undefined}`)
  return [...alone, ...[...others.values()].map((alike) => ({ ...about, ...shared(alike, item) }))]
}

function shared(alike: readonly Rejection[], item: string): Pick<JobError, 'path' | 'code' | 'message'> {
  const { code, message, position: first } = alike[0]!
  if (first === undefined) {
    const outside = `${alike.length} more pictures outside of the assets have this fault. Of the first: ${message}`
    return { path: item, code, message: outside }
  }
  const positions = alike.slice(0, MOST_PICTURES).map(({ position }) => position)
  // Only a batch from before the limit on pictures can have more.
  const listed = alike.length > MOST_PICTURES ? [...positions, 'and others'] : positions
  return {
    path: `${item}/assets`,
    code,
    message: `${alike.length} more pictures have this fault: assets ${listed.join(', ')}. Of the first: ${message}`,
  }
}
