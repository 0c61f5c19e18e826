import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Batch } from '../../inventory/batch.ts'
import { countedErrors, jobBytes } from '../../inventory/job-bytes.ts'
import { picturesOf } from '../../inventory/pictures.ts'
import type { ImageModeration } from '../../inventory/job.ts'

const JOB_ID = '01a226d2-2ace-7c82-bfc8-bd79bdad1e7e'
/** Also control characters, quotes and halves of pairs, which JSON writes with six bytes or two. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('\u0001', '"', '\ud800', 'x') }))
const asset = fc.record({ src: text, alt: text, thumbnail: text.map((each) => `https://h.test/${each}`) })
const item = fc.record({ assets: fc.array(asset, { maxLength: 8 }), source_id: text })

test('a job lists the pictures of its batch within the bytes that were counted for them', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), (items) => {
      const batch = {
        source_name: 'test',
        items: items.map(({ assets, source_id }) => ({ showroom_ids: [], assets, vehicle: { source_id } })),
      } as unknown as Batch
      const listed: ImageModeration[] = batch.items.map((each, index) => ({
        ...{ job_item_id: `${JOB_ID}-${index}`, index, accepted: [] },
        rejected: picturesOf(each).map(({ src }) => ({ src })),
      }))
      const counted = jobBytes(batch).most - countedErrors(items.length)
      expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(counted)
    }),
  )
})
