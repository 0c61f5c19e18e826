export type PathSegment = string | number

/** Splits a path such as `spec.rules[3].expect["A.B"]` into its keys and positions. */
export function splitPath(path: string): PathSegment[] {
  const segments: PathSegment[] = []
  for (const [, position, quoted, key] of path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)) {
    if (position !== undefined) segments.push(Number(position))
    else segments.push(quoted === undefined ? key! : (JSON.parse(`"${quoted}"`) as string))
  }
  return segments
}

/** Adds a key or position to a path; keys that are not plain words are quoted. */
export function joinPath(path: string, segment: PathSegment): string {
  if (typeof segment === 'number') return `${path}[${segment}]`
  if (!/^[\w/-]+$/.test(segment)) return `${path}[${JSON.stringify(segment)}]`
  return path === '' ? segment : `${path}.${segment}`
}
