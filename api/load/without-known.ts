import type { Loaded } from '#rates/published/format.ts'

type Report = Loaded & { lastContact?: string | null }

/**
 * What of a report is news to the operator, which asks every process four times a second while something is new: not the
 * digests of the release that the operator knows, and not the last contact, which is another one at every time of asking.
 */
export function withoutKnown(report: Report, known: string | string[] | undefined): Partial<Report> {
  if (known === undefined) return report
  const { sets, ...rest } = report
  delete rest.lastContact
  return report.release === known ? rest : { ...rest, sets }
}
