import { rulesOf } from './parts.ts'
import type { Check } from './subject.ts'

/** Each rule names at least one official page that publishes its figures, even if the figures were read elsewhere. */
export const officialPage: Check = ({ spec }) => {
  const official = new Set(spec.sources.filter((source) => source.official).map(({ name }) => name))
  return rulesOf(spec)
    .filter(({ value }) => !value.verification.sources.some((name) => official.has(name)))
    .map(({ path, value }) => ({
      check: 'official-page',
      path: `${path}.verification.sources`,
      message: `no official source: name the page where the authority publishes ${value.component}, even if the figure was read elsewhere`,
    }))
}
