import type { Notice } from '../notice.ts'
import { htmlOf } from './html.ts'
import { sectionsOf } from './sections.ts'
import { subjectOf } from './subject.ts'
import { textOf } from './text.ts'

/** A mail without its addresses. */
export interface Message {
  subject: string
  text: string
  html: string
}

/** A notice as it is mailed; pure. */
export function messageOf(notice: Notice): Message {
  const sections = sectionsOf(notice)
  return {
    subject: subjectOf(sections, notice.environment),
    text: textOf(notice, sections),
    html: htmlOf(notice, sections),
  }
}
