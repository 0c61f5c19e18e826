import { checkChanges } from '#rates/answers/list-changes.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import type { Vocabulary } from '#rates/diff/vocabulary.ts'
import { forReaders } from '#rates/readers/reader-words.ts'
import { setLabels } from '#rates/readers/set-labels.ts'
import { asKnown } from '../as-known.ts'
import { calendarOf } from '../changes-calendar.ts'
import type { Operation } from '../operation.ts'
import { refusing } from '../price.ts'

// As ISO dates: before and after every published day.
const FIRST_DAY = '0000-01-01'
const LAST_DAY = '9999-12-31'

/** `GET /v1/changes.ics`. */
export const getChangesCalendar: Operation = {
  operationId: 'getChangesCalendar',
  bodyLimit: 0,
  handle: async (call) => {
    const { query, reportOf, releases, rates } = call
    const { snapshot } = await asKnown(call, query.asKnownAt, '/query/asKnownAt')
    const { from = FIRST_DAY, to = LAST_DAY, pricingCode } = query
    const checked = refusing('', () => checkChanges({ from, to, pricingCode, limit: Infinity }, { snapshot }))
    const { changes } = await reportOf(snapshot)
    const names = namesIn(snapshot)
    const title = pricingCode === undefined ? 'Rate changes' : `Rate changes, ${names.jurisdiction(pricingCode)}`
    // Also while the archive cannot be read: the calendar of the release in force needs nothing from there.
    const stamp = releases.inForce(snapshot.release, rates)?.at(-1)?.since ?? rates.loadedAt
    const body = calendarOf(checked.page(changes).changes, { title, ...names }, new Date(stamp))
    const version = ['calendar', snapshot.release, stamp, from, to, pricingCode].join(' ')
    return { body, version, type: 'text/calendar; charset=utf-8' }
  },
}

/** The names that the latest rate set of a pricing code gives. */
function namesIn({ specs }: Snapshot) {
  const known = new Map<string, Vocabulary>()
  const words = (code: string): Vocabulary => {
    const found = known.get(code) ?? forReaders(setLabels([], specs, code))
    known.set(code, found)
    return found
  }
  const latest = (code: string) => specs.findLast(({ pricingCode }) => pricingCode === code)
  return {
    jurisdiction: (code: string) => latest(code)?.jurisdiction ?? code,
    component: (code: string, name: string) =>
      latest(code)?.rules.find(({ component }) => component === name)?.name ?? name,
    name: (code: string, name: string) => words(code).name(name),
  }
}
