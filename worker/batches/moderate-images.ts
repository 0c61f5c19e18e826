import { isImage, type Asset, type Item } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError } from '#inventory/job.ts'
import type { ImageModerator, ImageVerdict } from '../moderation/types.ts'

const MOST_OF_ITEM = 20
const MOST_OF_BATCH = 500

/** Whose pictures are moderated, and till when. */
export interface ImageOwner {
  jobId: string
  clientId: string
  signal: AbortSignal
}

export interface ModerableItem {
  item: Item
  index: number
  errors: readonly JobError[]
  isRejected: boolean
  /** How many of its pictures are looked at. */
  allowed: number
}

export interface ModeratedItem extends Omit<ModerableItem, 'allowed'> {
  images?: ImageModeration
}

/** Makes the budget of one batch; asked for each item in turn, it says how many of its pictures are looked at. */
export function createImageBudget(): (item: Item) => number {
  let left = MOST_OF_BATCH
  return (item) => {
    const allowed = Math.min(left, MOST_OF_ITEM, imageCount(item))
    left -= allowed
    return allowed
  }
}

const imageCount = (item: Item): number => (item.assets ?? []).filter(isImage).length

interface Judged {
  asset: Asset
  position: number
  /** Undefined for what is no picture, or beyond the limits. */
  verdict: ImageVerdict | undefined
}

/** An item with the pictures that were accepted, what was said of each, and an error for each that was rejected. */
export async function moderateImages(
  owner: ImageOwner,
  moderator: ImageModerator,
  { allowed, ...each }: ModerableItem,
): Promise<ModeratedItem> {
  const { item, index } = each
  if (imageCount(item) === 0) return each
  const judged = await judgeAll(owner, moderator, { assets: item.assets ?? [], allowed })
  const about = { job_item_id: jobItemId(owner.jobId, index), index }
  const pictures = judged.filter(({ asset }) => isImage(asset))
  const sources = (isAccepted: boolean) =>
    pictures.filter(({ verdict }) => (verdict?.accepted ?? false) === isAccepted).map(({ asset: { src } }) => ({ src }))
  const kept = judged.filter(({ asset, verdict }) => !isImage(asset) || verdict?.accepted)
  return {
    ...each,
    item: { ...item, assets: kept.map(({ asset }) => asset) },
    images: { ...about, accepted: sources(true), rejected: sources(false) },
    errors: [...each.errors, ...errorsOf(judged, about), ...beyond(pictures.length - allowed, about)],
  }
}

/** The first pictures are judged, all at once; the moderator bounds what is in flight. */
function judgeAll(
  { clientId, signal }: ImageOwner,
  moderator: ImageModerator,
  { assets, allowed }: { assets: readonly Asset[]; allowed: number },
): Promise<Judged[]> {
  let left = allowed
  return Promise.all(
    assets.map(async (asset, position) => {
      const isJudged = isImage(asset) && left-- > 0
      const verdict = isJudged ? await moderator.judge({ src: asset.src, clientId, signal }) : undefined
      return { asset, position, verdict }
    }),
  )
}

type About = Pick<JobError, 'job_item_id' | 'index'>

function errorsOf(judged: readonly Judged[], about: About): JobError[] {
  return judged.flatMap(({ position, verdict }) =>
    verdict === undefined || verdict.accepted
      ? []
      : [
          {
            ...about,
            path: `/items/${about.index}/assets/${position}/src`,
            code: verdict.code,
            message: verdict.message,
          },
        ],
  )
}

/** One error for all of them, so that a batch of a hundred thousand pictures has no such answer. */
function beyond(count: number, about: About): JobError[] {
  if (count <= 0) return []
  const limit = `${MOST_OF_ITEM} an item and ${MOST_OF_BATCH} a batch are looked at`
  const message = `${count} pictures were left out: ${limit}.`
  return [{ ...about, path: `/items/${about.index}/assets`, code: 'TOO_MANY_IMAGES', message }]
}
