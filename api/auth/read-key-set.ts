import { createLocalJWKSet, type JSONWebKeySet } from 'jose'

/**
 * Finds the key of a token in one set of public keys. Each set is an object of its own, so sets are compared by
 * identity.
 */
export type KeySet = ReturnType<typeof createLocalJWKSet>

/** Largest key set, in bytes. */
const LIMIT = 256 * 1024

/**
 * Reads a JSON Web Key Set within `timeoutMs` and follows no redirect. Throws when there is no key set or it is too
 * large.
 */
export async function readKeySet(address: string, timeoutMs: number): Promise<{ set: KeySet; text: string }> {
  const response = await fetch(address, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    // The target of a redirect is not on the allow-list.
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
