import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { DAY, quiet, scenarios, type Scenario } from './alert-scenarios.ts'
import { fired, inPrices, promtool, renderRules, type Group, type Rule } from './promtool.ts'

/** Made to fire in objectives.test.ts. */
const OF_OBJECTIVES = ['DriveawayErrorBudgetBurns', 'DriveawayErrorBudgetLeaks']

let alerts: Rule[]
let groups: Group[]
beforeAll(async () => {
  ;({ groups, alerts } = await renderRules())
}, 60_000)

/** Every rule is evaluated in each minute: of a scenario over days, only that of its alert, or this takes most of a minute. */
const evaluated = ({ alert, resolvedAt }: Scenario): Group[] =>
  resolvedAt < DAY ? groups : [{ name: 'long', rules: [ruleOf(alert)] }]

const ruleOf = (name: string) => alerts.find(({ alert }) => alert === name) as Rule

test('promtool takes the rules as they are rendered', async () => {
  expect(await promtool(groups, ['check', 'rules', 'rules.yml'], {})).toContain(
    `SUCCESS: ${groups.flatMap(({ rules }) => rules).length} rules found`,
  )
})

test.each(
  scenarios.map(
    (scenario) => [`${scenario.alert} ${Object.values(scenario.labels ?? {}).join(' ')}`, scenario] as const,
  ),
)('%s fires and resolves', async (_, scenario) => {
  const { alert, series, quietAt = 0, firesAt, resolvedAt } = scenario
  const at = (minute: number, exp_alerts: object[]) => ({ eval_time: `${minute}m`, alertname: alert, exp_alerts })
  // Of several components, the others are scraped.
  const others = Object.fromEntries(
    scenarios
      .filter((each) => each.alert === alert && each.labels?.['component'] !== scenario.labels?.['component'])
      .flatMap((each) => Object.keys(each.series).map((name) => [name, `1x${resolvedAt}`])),
  )
  const alert_rule_test = [at(quietAt, []), at(firesAt, [fired(ruleOf(alert), scenario.labels)]), at(resolvedAt, [])]
  const tests = [{ interval: '1m', input_series: inPrices({ ...others, ...series }), alert_rule_test }]
  const content = { rule_files: ['rules.yml'], evaluation_interval: '1m', tests }
  const rules = evaluated(scenario)
  expect(await promtool(rules, ['test', 'rules', 'test.yml'], { 'test.yml': content })).toContain('SUCCESS')
})

test.each(Object.entries(quiet))('%s pages nobody', async (_, series) => {
  const silent = ['DriveawayRateSetNotReady', 'DriveawayRateSetNotLoaded']
  const alert_rule_test = silent.map((alertname) => ({ eval_time: '50m', alertname, exp_alerts: [] }))
  const tests = [{ interval: '1m', input_series: inPrices(series), alert_rule_test }]
  const content = { rule_files: ['rules.yml'], evaluation_interval: '1m', tests }
  expect(await promtool(groups, ['test', 'rules', 'test.yml'], { 'test.yml': content })).toContain('SUCCESS')
})

test('every alert is made to fire above, and has a section on the page of alerts that its annotation names', () => {
  const named = [...new Set(alerts.map(({ alert }) => alert))].sort()
  expect([...new Set([...scenarios.map(({ alert }) => alert), ...OF_OBJECTIVES])].sort()).toEqual(named)
  const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8')
  expect([...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name).sort()).toEqual(named)
  for (const { alert, annotations } of alerts)
    expect(annotations['runbook_url']).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
})
