/** The table of a page of what uninstalling leaves: for each namespace, patterns of `kind/name`. */
export function leftBy(page: string): Record<string, string[]> {
  const table = page.slice(page.indexOf('| in the namespace |')).split('\n\n')[0] ?? ''
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
  const patterns = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    rows.map(([, namespace = '', objects = '']) => [patterns(namespace)[0] ?? '', patterns(objects)]),
  )
}

/** Whether an object is one of a pattern, in which `*` stands for anything. */
const matches = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(name)

/** Objects that no pattern names, and patterns without an object. */
export const differing = (left: readonly string[], patterns: readonly string[]) => ({
  unknown: left.filter((name) => !patterns.some((pattern) => matches(name, pattern))),
  missing: patterns.filter((pattern) => !left.some((name) => matches(name, pattern))),
})
