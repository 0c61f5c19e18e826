import type { Process } from './processes.ts'
import type { Terminal } from './terminal.ts'

/** The state of one rate set in a cluster. */
export interface SetStatus {
  name: string
  ready: string
  reason: string
  message: string
  /** How many processes serve it, as counted by the operator: `3/3`. */
  loaded: string
  /** ISO date-time of the last change of the count. */
  since: string | null
  digest: string | null
  /**
   * The emergency attestation on which the content is published, its end and its reason; null when staging attested the
   * content.
   */
  emergency: string | null
  /** Processes that serve other content. */
  behind: string[]
}

/** The state of a cluster for a reader: a table of sets and a table of processes. */
export function statusLines(sets: readonly SetStatus[], processes: readonly Process[], terminal: Terminal): string[] {
  const { paint } = terminal
  const rows = sets.map(({ name, ready, loaded, digest, since }) => [name, ready, loaded, short(digest), since ?? ''])
  return [
    ...table([['RATE SET', 'READY', 'LOADED', 'DIGEST', 'SINCE'], ...rows], terminal),
    ...sets
      .filter(({ ready }) => ready !== 'True')
      .map(({ name, reason, message }) => paint('red', `! ${name}: ${reason}: ${message}`)),
    ...sets
      .filter(({ ready, reason }) => ready === 'True' && reason === 'Pinned')
      .map(({ name, message }) => paint('yellow', `! ${name}: ${message}`)),
    ...sets.flatMap(({ name, emergency }) =>
      emergency === null ? [] : [paint('yellow', `! ${name}: emergency: ${emergency}`)],
    ),
    ...sets
      .filter(({ behind }) => behind.length > 0)
      .map(({ name, behind }) =>
        paint('yellow', `! ${behind.join(', ')} does not serve the published content of ${name} yet`),
      ),
    '',
    ...(processes.length === 0
      ? ['No API process was found; name its health port with --health-url.']
      : table([['API PROCESS', 'RELEASE', 'SETS', 'LOADED AT', 'CONTACT'], ...processes.map(processRow)], terminal)),
    ...processes.flatMap(({ name, fault, loaded }) => {
      const said = fault ?? loaded?.lastError
      return said ? [paint('red', `! ${name}: ${said}`)] : []
    }),
  ]
}

function processRow({ name, loaded }: Process): string[] {
  if (!loaded) return [name, 'no answer', '', '', '']
  const sets = loaded.parts && !loaded.parts.includes('rates') ? 'no rates' : String(Object.keys(loaded.sets).length)
  return [name, short(loaded.release), sets, loaded.loadedAt ?? '', loaded.lastContact ?? '']
}

const short = (digest: string | null): string => (digest === null ? '' : digest.slice(0, 'sha256:'.length + 12))

function table(rows: readonly (readonly string[])[], { paint }: Terminal): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row, at) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
    return at === 0 ? paint('dim', line) : line
  })
}
