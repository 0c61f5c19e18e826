import { blocksOf } from '../docs/page.ts'

/** The command of the page docs/installing.md that tests a release. */
export function helmTestIn(page: string): string {
  const found = blocksOf(page).flatMap(({ commands }) => commands.filter((command) => command.startsWith('helm test ')))
  if (found.length !== 1) throw new Error(`docs/installing.md has ${found.length} commands helm test, expected one`)
  return found[0]!
}
