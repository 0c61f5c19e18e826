import { isImage, pictureCount, type Asset, type Item } from '#inventory/batch.ts'
import { jobItemId, type ImageModeration, type JobError } from '#inventory/job.ts'
import type { ImageModerator, ImageVerdict } from '../moderation/types.ts'

/** Rejected pictures of an item that have an error each; the others share one error per code, which bounds a job. */
const NAMED_ALONE = 20

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
}

export interface ModeratedItem extends ModerableItem {
  images?: ImageModeration
}

interface Judged {
  asset: Asset
  position: number
  /** Undefined for what is no picture. */
  verdict: ImageVerdict | undefined
}

/** An item with the pictures that were accepted, what was said of each, and the errors of those that were rejected. */
export async function moderateImages(
  owner: ImageOwner,
  moderator: ImageModerator,
  each: ModerableItem,
): Promise<ModeratedItem> {
  const { item, index } = each
  if (pictureCount(item) === 0) return each
  const judged = await judgeAll(owner, moderator, item.assets ?? [])
  const about = { job_item_id: jobItemId(owner.jobId, index), index }
  const sources = (isAccepted: boolean) =>
    judged.filter(({ verdict }) => verdict?.accepted === isAccepted).map(({ asset: { src } }) => ({ src }))
  const kept = judged.filter(({ verdict }) => verdict?.accepted !== false)
  return {
    ...each,
    item: { ...item, assets: kept.map(({ asset }) => asset) },
    images: { ...about, accepted: sources(true), rejected: sources(false) },
    errors: [...each.errors, ...errorsOf(judged, about)],
  }
}

/** Every picture is asked for at once; the moderator bounds what is in flight. */
function judgeAll(
  { clientId, signal }: ImageOwner,
  moderator: ImageModerator,
  assets: readonly Asset[],
): Promise<Judged[]> {
  return Promise.all(
    assets.map(async (asset, position) => {
      const verdict = isImage(asset) ? await moderator.judge({ src: asset.src, clientId, signal }) : undefined
      return { asset, position, verdict }
    }),
  )
}

type About = Pick<JobError, 'job_item_id' | 'index'>

interface Rejection {
  position: number
  code: string
  message: string
}

function errorsOf(judged: readonly Judged[], about: About): JobError[] {
  const rejections = judged.flatMap(({ position, verdict }): Rejection[] =>
    verdict === undefined || verdict.accepted ? [] : [{ position, code: verdict.code, message: verdict.message }],
  )
  const assets = `/items/${about.index}/assets`
  const alone = rejections
    .slice(0, NAMED_ALONE)
    .map(({ position, code, message }) => ({ ...about, path: `${assets}/${position}/src`, code, message }))
  const others = Object.values(Object.groupBy(rejections.slice(NAMED_ALONE), ({ code }) => code))
  return [...alone, ...others.map((alike) => ({ ...about, path: assets, ...shared(alike!) }))]
}

function shared(alike: readonly Rejection[]): Pick<JobError, 'code' | 'message'> {
  const { code, message } = alike[0]!
  const positions = alike.map(({ position }) => position).join(', ')
  return { code, message: `${alike.length} more pictures have this fault: assets ${positions}. Of the first: ${message}` }
}
