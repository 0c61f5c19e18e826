import { expect, inject, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { kubectl, tokenOf } from './release.ts'

const staging = inject('staging')

interface Job {
  status: string
  errors: unknown[]
}

/** Fifty vehicles without pictures: the cluster of the suite has no internet. */
const batch = (name: string) => ({
  source_name: 'e2e',
  items: Array.from({ length: 50 }, (_, index) => ({
    showroom_ids: ['5b0f7a52-6f0e-4a59-9d5a-6a8f5d2a3c11'],
    assets: [],
    vehicle: { source_id: `${name}-${index}`, make: 'Kia', model: 'EV5' },
  })),
})

test('batches through the Service are completed though the worker pod is killed', async () => {
  const authorization = `Bearer ${await tokenOf(staging, 'uploader')}`
  const upload = async (name: string) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(`${staging.inventoryUrl}/batch`, {
      ...{ method: 'POST', headers, body: JSON.stringify(batch(name)) },
    })
    const text = await response.text()
    if (response.status !== 201) throw new Error(`${response.status} ${text}`)
    return (JSON.parse(text) as { job_id: string }).job_id
  }
  const ids: string[] = []
  for (let index = 0; index < 10; index += 1) ids.push(await upload(`before-${index}`))
  const worker = ['-l', 'app.kubernetes.io/component=worker']
  await kubectl(staging, ['delete', 'pod', ...worker, '--grace-period=0', '--force', '--wait=false'])
  for (let index = 0; index < 10; index += 1) ids.push(await upload(`after-${index}`))
  for (const id of ids) {
    const job = await waitFor(
      `job ${id} to be completed`,
      async () => {
        const response = await fetch(`${staging.inventoryUrl}/jobs/${id}`, { headers: { authorization } })
        const found = (await response.json()) as Job
        if (found.status === 'completed') return found
        throw new Error(JSON.stringify(found))
      },
      { timeoutMs: 120_000, everyMs: 250 },
    )
    expect(job.errors).toEqual([])
  }
})
