import type { NoticePage } from '#rates/published/notice-page.ts'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import type { Notice } from '../notice.ts'
import { sectionBlocks } from './document.ts'
import { bodyOf } from './html.ts'
import { sectionsOf } from './sections.ts'
import { dayWords } from '#rates/readers/day-words.ts'

/** The content of a page: an announcement and all its changes. */
export interface PageContent
  extends Required<Pick<Notice, 'number' | 'issuedAt' | 'names' | 'release'>>, Pick<Notice, 'lastDays'> {
  changes: readonly FigureChange[]
}

/** A change without the lines of other jurisdictions that follow it: not every reader of its section subscribes to them. */
function withoutOthers({ followers = [], ...change }: FigureChange): FigureChange {
  const own = followers.filter(({ pricingCode }) => pricingCode === undefined)
  return own.length === 0 ? change : { ...change, followers: own }
}

/** Every change of an announcement, for all clients alike; pure. */
export function pageOf({ changes, names, lastDays = {}, number, issuedAt, release }: PageContent): NoticePage {
  // The day, not the minute: a new leader that continues the announcement must write the same page.
  const day = dayWords(issuedAt.slice(0, 10))
  return {
    title: `Notice ${number}: changes of rates`,
    opening: `All changes of notice ${number}, issued on ${day}. Release ${release}.`,
    sections: sectionsOf({ changes: changes.map(withoutOthers), names, lastDays }).map((section) => ({
      pricingCode: section.pricingCode,
      html: bodyOf(sectionBlocks(section, { issuedAt })),
    })),
  }
}
