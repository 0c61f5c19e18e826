import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { PublishedConfigMap } from './config-map.ts'
import { splitText } from './split.ts'

/*
 * The whole text of a notice, which the operator writes and the pricing API serves. A page is named by its content, so
 * a link to it leads to exactly the page that its notice was made from, or to nothing. A page is in one or more
 * immutable ConfigMaps.
 */

/** Label of each ConfigMap of a page; its value is the name of the page. */
export const NOTICE_PAGE_LABEL = 'rates.driveaway.dev/notice-page'
/** Path in the pricing API; the name of the page follows. */
export const NOTICE_PAGES_PATH = '/notices'

export interface NoticePage {
  title: string
  /** The text at the top of the page. */
  opening: string
  /** The sections in reading order. */
  sections: readonly NoticePageSection[]
}

/** The changes of one pricing code from one day on. */
export interface NoticePageSection {
  pricingCode: string
  /** HTML without scripts and without anything that a browser would fetch. */
  html: string
}

/** The parts of a ConfigMap that carries a page. */
export interface StoredPart {
  data?: Record<string, string>
}

const PART = 'part'
const PARTS = 'parts'
const TEXT = 'page.json.gz'
/** Most bytes of one ConfigMap, as for shards. */
const PART_BYTES = 512 * 1024
/** Most bytes of an unpacked page. */
const LARGEST_UNPACKED = 64 * 1024 * 1024
/** Hexadecimal digits of a name: too many for anyone to find another text with the same name. */
const NAME_LENGTH = 40

/** Whether a text can be a page name. */
export const isNoticePageName = (text: string): boolean => new RegExp(`^[0-9a-f]{${NAME_LENGTH}}$`).test(text)

/** The name of a page and its ConfigMaps. */
export function storedNoticePage(namespace: string, page: NoticePage): { name: string; parts: PublishedConfigMap[] } {
  const json = JSON.stringify(page)
  const name = nameOf(json)
  const texts = splitText(gzipSync(json).toString('base64'), PART_BYTES)
  const parts = texts.map((text, at) => ({
    apiVersion: 'v1' as const,
    kind: 'ConfigMap' as const,
    immutable: true,
    metadata: { name: `notice-page-${name}-${at}`, namespace, labels: { [NOTICE_PAGE_LABEL]: name } },
    data: { [PART]: String(at), [PARTS]: String(texts.length), [TEXT]: text },
  }))
  return { name, parts }
}

/** Reads the page of this name; undefined when a part is missing or when the content does not match the name. */
export function readNoticePage(name: string, stored: readonly StoredPart[]): NoticePage | undefined {
  const byPart = new Map(stored.map(({ data = {} }) => [data[PART], data]))
  const count = Number(byPart.get('0')?.[PARTS] ?? Number.NaN)
  if (count !== byPart.size) return undefined
  const texts = Array.from({ length: count }, (_, at) => byPart.get(String(at))?.[TEXT] ?? '')
  try {
    const json = gunzipSync(Buffer.from(texts.join(''), 'base64'), { maxOutputLength: LARGEST_UNPACKED }).toString(
      'utf8',
    )
    return nameOf(json) === name ? (JSON.parse(json) as NoticePage) : undefined
  } catch {
    return undefined
  }
}

const nameOf = (json: string): string => createHash('sha256').update(json).digest('hex').slice(0, NAME_LENGTH)
