import type { RateSetSpec } from '../engine/grammar/rate-set.ts'

/** The readers' labels for the names in the rate sets of a pricing code. */
export interface SetLabels {
  classes: ReadonlyMap<string, string>
  parameters: ReadonlyMap<string, string>
  lists: ReadonlyMap<string, string>
  /** The zones of each list. */
  zones: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export const NO_LABELS: SetLabels = { classes: new Map(), parameters: new Map(), lists: new Map(), zones: new Map() }

/**
 * The labels of a pricing code, for both sides of a comparison: a changed label alone is not a change. Labels of
 * later sets take precedence over those of earlier sets, and labels of `now` over those of `old`.
 */
export function setLabels(old: readonly RateSetSpec[], now: readonly RateSetSpec[], pricingCode: string): SetLabels {
  const inOrder = [old, now].flatMap((sets) => sets.toSorted((a, b) => (a.financialYear < b.financialYear ? -1 : 1)))
  const own = inOrder.filter((one) => one.pricingCode === pricingCode)
  const imported = new Set(own.flatMap(({ imports = [] }) => imports))
  const lists = own.flatMap(({ zones = [] }) => zones)
  return {
    classes: labelled(own.flatMap(({ classes = [] }) => classes)),
    parameters: labelled([
      ...inOrder.filter((one) => imported.has(one.pricingCode)).flatMap(({ parameters = [] }) => parameters),
      ...own.flatMap(({ parameters = [] }) => parameters),
    ]),
    lists: labelled(lists),
    zones: new Map(
      [...Map.groupBy(lists, ({ name }) => name)].map(([name, all]) => [
        name,
        labelled(all.flatMap(({ values }) => values.map(({ zone, label }) => ({ name: zone, label })))),
      ]),
    ),
  }
}

/**
 * Labels by name, the last of each. A label that two names share is left out, because a change from one to the other
 * would show no difference.
 */
function labelled(all: readonly { name: string; label?: string | undefined }[]): Map<string, string> {
  const labels = new Map(all.flatMap(({ name, label }) => (label === undefined ? [] : [[name, label] as const])))
  const counts = Map.groupBy(labels.values(), (label) => label)
  return new Map([...labels].filter(([, label]) => counts.get(label)!.length === 1))
}
