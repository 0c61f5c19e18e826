/** resourceVersions of one resource are whole numbers that can be compared (KEP-5504); what is none is never earlier. */
export function isEarlier(a: string, b: string): boolean {
  if (a === '' && b !== '') return true
  return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b)
}
