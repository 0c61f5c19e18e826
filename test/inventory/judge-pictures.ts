import type { JobRecord } from '../../inventory/job.ts'
import { picturesOf } from '../../inventory/pictures.ts'
import type { VehicleRecord } from '../../inventory/vehicles.ts'
import { isPicture } from './moody-source.ts'
import type { SentVehicle } from './steady-uploader.ts'

/** A vehicle of an accepted batch, when everything is done. */
export interface FinishedVehicle {
  sent: SentVehicle
  /** Its position in the batch. */
  index: number
  job: JobRecord | undefined
  /** As it is stored now, by this batch or by a later one. */
  stored: VehicleRecord | undefined
}

/**
 * What has become of a picture:
 *
 * - accepted: the job says so, and the vehicle has it
 * - lateAdded: the job says that it is late, and the vehicle has got it since
 * - late: the job says so, and a later batch has stored the vehicle, or it is no picture
 * - refused: the job has an error that says why
 * - refusedWrongly: so, but it is a picture, and its source had it
 * - shownWrongly: the vehicle has it, but it is no picture
 * - lostSilently: anything else
 */
const VERDICTS = [
  ...(['accepted', 'lateAdded', 'late', 'refused'] as const),
  ...(['refusedWrongly', 'shownWrongly', 'lostSilently'] as const),
]
type Verdict = (typeof VERDICTS)[number]

/** How many pictures there are, and how many of each verdict. */
export function judgePictures(vehicles: readonly FinishedVehicle[]) {
  const all = vehicles.flatMap((each) => each.sent.pictures.map((src, position) => verdictOf(each, src, position)))
  const count = (verdict: Verdict) => all.filter((each) => each === verdict).length
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
  return { pictures: all.length, ...counts }
}

function verdictOf(vehicle: FinishedVehicle, src: string, position: number): Verdict {
  const { job, stored } = vehicle
  const told = toldOf(vehicle, src, position)
  if (!told || !stored) return 'lostSilently'
  const isThere = picturesOf(stored.item).some((each) => each.src === src)
  if (!isPicture(src)) return isThere ? 'shownWrongly' : told
  if (told === 'refused') return 'refusedWrongly'
  // What a later batch has stored says nothing about this one.
  if (stored.job_id !== job?.id) return told
  if (!isThere) return 'lostSilently'
  return told === 'late' ? 'lateAdded' : told
}

/** What the job says of a picture; undefined when it does not say one thing, or does not say why. */
function toldOf({ index, job }: FinishedVehicle, src: string, position: number) {
  const images = job?.image_moderation?.find((each) => each.index === index)
  if (!job || !images) return undefined
  const [isAccepted, isRejected] = [images.accepted, images.rejected].map((list) =>
    list.some((each) => each.src === src),
  )
  if (isAccepted === isRejected) return undefined
  if (isAccepted) return 'accepted'
  const error = job.errors.find(({ path }) => path === `/items/${index}/assets/${position}/src`)
  return error && (error.code === 'PICTURE_LATE' ? 'late' : 'refused')
}
