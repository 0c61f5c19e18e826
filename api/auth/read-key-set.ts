import { createLocalJWKSet, type JSONWebKeySet } from 'jose'

/** Finds the key of a token in one set of public keys; another set is another value. */
export type KeySet = ReturnType<typeof createLocalJWKSet>

/** Bytes that a key set may have. */
const LIMIT = 256 * 1024

/** Reads a JSON Web Key Set within `timeoutMs`, following no redirect; throws when there is none of a sane size. */
export async function readKeySet(address: string, timeoutMs: number): Promise<{ set: KeySet; text: string }> {
  const response = await fetch(address, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    // Where a redirect leads is not on the allow-list.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${address} answered ${response.status}`)
  }
  const text = await limitedText(response, address)
  return { set: createLocalJWKSet(JSON.parse(text) as JSONWebKeySet), text }
}

async function limitedText(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LIMIT) throw new Error(`${address} returned more than ${LIMIT} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
