import type { Notice } from '../notice.ts'
import { documentOf, type Surroundings } from './document.ts'
import { htmlOf } from './html.ts'
import { sectionsOf, shortened } from './sections.ts'
import { subjectOf } from './summary.ts'
import { textOf } from './text.ts'

/** A mail without its addresses. */
export interface Message {
  subject: string
  text: string
  html: string
}

/** The most bytes of text and HTML together: mail programs cut a mail of 102 KB or more. */
const LARGEST = 85_000
/** The most changes listed for each jurisdiction and day; the next limit applies while the mail is too long. */
const LISTED = [200, 100, 50, 25, 12, 6, 3, 1, 0]
const LONGEST_SUBJECT = 200

/** A notice as it is mailed; pure. */
export function messageOf(notice: Notice, around: Surroundings = {}): Message {
  const sections = sectionsOf(notice)
  const subject = subjectOf(sections, notice).slice(0, LONGEST_SUBJECT)
  const draftWith = (most: number): Message => {
    const blocks = documentOf(notice, shortened(sections, most), around)
    return { subject, text: textOf(blocks), html: htmlOf(blocks) }
  }
  const fitting = LISTED.find((most) => isShort(draftWith(most)))
  return draftWith(fitting ?? 0)
}

const isShort = ({ text, html }: Message): boolean => Buffer.byteLength(html) + Buffer.byteLength(text) <= LARGEST
