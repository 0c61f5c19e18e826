/**
 * resourceVersions of one resource are integers that can be compared (KEP-5504); a value that is not an integer is
 * never earlier.
 */
export function isEarlier(a: string, b: string): boolean {
  if (a === '' && b !== '') return true
  return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b)
}
