/** The key of a bucket for these texts, each as base64url: no text of a client's can reach into another's key. */
export function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => Buffer.from(part, 'utf8').toString('base64url')).join('.')
}
