import type { Loaded } from '#rates/published/format.ts'

type Report = Loaded & { lastContact?: string | null }

/**
 * The part of a report that is new to the operator. While something changes, the operator asks every process four times
 * a second, so the digests of a release that it knows are left out, and so is the last contact, which differs at every
 * request.
 */
export function withoutKnown(report: Report, known: string | string[] | undefined): Partial<Report> {
  if (known === undefined) return report
  const { sets, ...rest } = report
  delete rest.lastContact
  return report.release === known ? rest : { ...rest, sets }
}
