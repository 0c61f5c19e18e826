const LONGEST_NAME = 63

/** The known word that a text probably misspells, if any. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  // No name is longer, and the cost of the distance is the length of the text times that of every known word.
  if (text.length > LONGEST_NAME) return undefined
  const limit = text.length < 4 ? 1 : 2
  const near = known.filter((word) => Math.abs(word.length - text.length) <= limit)
  const ranked = near.map((word) => ({ word, distance: distance(text.toLowerCase(), word.toLowerCase()) }))
  ranked.sort((a, b) => a.distance - b.distance)
  return ranked[0] && ranked[0].distance <= limit ? ranked[0].word : undefined
}

/** Levenshtein distance: insertions, deletions and replacements of single characters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced))
    }
    row = next
  }
  return row[b.length]!
}
