import { setTimeout as sleep } from 'node:timers/promises'
import type { Batch } from '../../inventory/batch.ts'
import { inParallel } from '../../runtime/in-parallel.ts'
import type { World } from './world.ts'

const LOOK_EVERY_MS = 5

/** Uploads batches, the clients in parallel and each client one by one; returns when all are completed. */
export async function upload({ inventory, waiting }: World, batches: readonly Batch[]): Promise<void> {
  const bodies = batches.map((batch) => JSON.stringify(batch)).values()
  await inParallel(inventory.tokens.length, inventory.tokens, async (token) => {
    for (const body of bodies) await post(`${inventory.url}/batch`, token, body)
  })
  while ((await waiting()) > 0) await sleep(LOOK_EVERY_MS)
}

async function post(url: string, token: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
