import { basename } from 'node:path'
import type { LocatedFault } from './located.ts'

// Characters that look like others or are invisible: no-break and thin spaces, zero-width characters, direction marks.
const UNSEEN = /[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/

/**
 * Faults that only the text of a file shows, not the object in a cluster: tabs, invisible characters, line ends, the
 * file name.
 */
export function writingFaults(text: string, file: string, name: string): LocatedFault[] {
  const found = text.split('\n').flatMap((line, at) => {
    const place = (column: number) => ({ path: '', file, line: at + 1, column: column + 1 })
    const tab = line.indexOf('\t')
    const unseen = UNSEEN.exec(line)
    return [
      ...(tab < 0 ? [] : [{ check: 'no-tabs', message: 'a tab; expected spaces', ...place(tab) }]),
      ...(unseen ? [{ check: 'seen-characters', message: unseenMessage(unseen[0]), ...place(unseen.index) }] : []),
      ...(line.endsWith('\r')
        ? [{ check: 'line-ends', message: 'a carriage return; expected lines that end in \\n', ...place(line.length) }]
        : []),
    ]
  })
  return [...found, ...fileNameFaults(file, name)]
}

function unseenMessage(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `the character U+${code}, which cannot be seen; expected a plain space, or nothing`
}

/** The fault of a file whose name states another year than its set: `fy27.yaml` must contain `au-vic-fy27`. */
function fileNameFaults(file: string, name: string): LocatedFault[] {
  const [, year] = /^(fy\d\d)\.ya?ml$/.exec(basename(file)) ?? []
  if (year === undefined || name === '' || name.endsWith(`-${year}`)) return []
  const message = `${basename(file)} holds ${name}; expected a rate set of ${year.toUpperCase()}`
  return [{ check: 'file-name', path: 'metadata.name', message, file, line: 1, column: 1 }]
}
