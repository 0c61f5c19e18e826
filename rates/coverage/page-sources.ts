import type { Source } from '../engine/grammar/rate-set.ts'
import { link } from './markdown.ts'

/** The sources of one pricing code, numbered from 1 in the order in which they are first used. */
export interface NumberedSources {
  /** References to some sources, such as `[1, 4]`. */
  numbersOf: (sources: readonly Source[]) => string
  /** One line of Markdown for each source. */
  list: string[]
}

/** Numbers the sources of some parts. A page cited by several years has one number, and the label of its latest use. */
export function numberSources(parts: readonly { sources: readonly Source[] }[]): NumberedSources {
  const found = new Map<string, Source>()
  for (const source of parts.flatMap(({ sources }) => sources)) found.set(keyOf(source), source)
  const keys = [...found.keys()]
  const numberOf = (source: Source) => keys.indexOf(keyOf(source)) + 1
  return {
    numbersOf: (sources) => `[${[...new Set(sources.map(numberOf))].toSorted((a, b) => a - b).join(', ')}]`,
    list: [...found.values()].map((source, position) => `${position + 1}. ${lineOf(source)}`),
  }
}

const keyOf = ({ url, authority }: Source) => `${authority} ${url}`

const lineOf = ({ label, url, authority, official }: Source) =>
  `${link(label, url)}, ${authority}${official ? '' : ' (not official)'}`
