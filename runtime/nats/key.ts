/** A bucket key from texts, each as base64url, so that no text of a client can produce another client's key. */
export function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => Buffer.from(part, 'utf8').toString('base64url')).join('.')
}

/** The texts of a key. */
export const partsOf = (key: string): string[] =>
  key.split('.').map((part) => Buffer.from(part, 'base64url').toString('utf8'))
