import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { measure } from '../../api/http/measure.ts'
import { charts, render } from './render.ts'
import { fired, inPrices, promtool, renderRules, type Group, type Rule } from './promtool.ts'

let alerts: Rule[]
let objectives: Group
beforeAll(async () => {
  const rendered = await renderRules()
  alerts = rendered.alerts
  objectives = rendered.groups.find(({ name }) => name === 'driveaway-objectives') as Group
}, 60_000)

interface Look {
  alert: string
  minute: number
  /** The objectives whose alert fires. */
  of: string[]
}

async function look(
  series: Record<string, string>,
  looks: Look[],
  { group = objectives, every = '1m' } = {},
): Promise<void> {
  const rules = new Map(alerts.map((rule) => [rule.alert, rule]))
  const alert_rule_test = looks.map(({ alert, minute, of }) => ({
    ...{ eval_time: `${minute}m`, alertname: alert },
    exp_alerts: of.map((objective) => fired(rules.get(alert) as Rule, { objective })),
  }))
  const tests = [{ interval: '1m', input_series: inPrices(series), alert_rule_test }]
  const content = { rule_files: ['rules.yml'], evaluation_interval: every, tests }
  expect(await promtool([group], ['test', 'rules', 'test.yml'], { 'test.yml': content })).toContain('SUCCESS')
}

const [burns, leaks] = ['DriveawayErrorBudgetBurns', 'DriveawayErrorBudgetLeaks']
const answered = (operation: string, status: number) =>
  `driveaway_requests_total{operation="${operation}",status="${status}",pod="a"}`
const quotes = (rest: string) => `driveaway_request_duration_seconds_${rest}`
const DAY = 1440

test('an API that fails pages within minutes, and the page ends soon after the failures', async () => {
  const series = {
    [answered('createQuote', 200)]: '0+600x300',
    // One in ten, for an hour.
    [answered('createQuote', 500)]: '0x60 0+60x60 3600x180',
    [answered('createBatch', 201)]: '0+60x300',
  }
  await look(series, [
    { alert: burns, minute: 60, of: [] },
    { alert: burns, minute: 80, of: ['pricing-answers'] },
    { alert: burns, minute: 155, of: [] },
  ])
})

test('refusals are no failures, and each API has a budget of its own', async () => {
  const series = {
    [answered('createQuote', 200)]: '0+600x120',
    [answered('createQuote', 422)]: '0+600x120',
    [answered('createBatch', 201)]: '0+60x120',
    [answered('createBatch', 503)]: '0x30 0+60x90',
  }
  await look(series, [{ alert: burns, minute: 60, of: ['inventory-answers'] }])
})

test('a few failures of a quiet night page nobody', async () => {
  const series = { [answered('createQuote', 200)]: '0+1x120', [answered('createQuote', 500)]: '0x30 5x90' }
  await look(series, [
    { alert: burns, minute: 33, of: [] },
    { alert: burns, minute: 80, of: [] },
  ])
})

// Three days, which promtool goes through minute by minute.
test('failures that would last the budget for less than the month warn after a while, and page nobody', async () => {
  const series = {
    [answered('createQuote', 200)]: `0+10000x${3 * DAY}`,
    // Four times the budget.
    [answered('createQuote', 500)]: `0+40x${3 * DAY}`,
  }
  const looks = [
    { alert: leaks, minute: 30, of: [] },
    { alert: leaks, minute: 2 * DAY, of: ['pricing-answers'] },
    { alert: burns, minute: 2 * DAY, of: [] },
  ]
  // Each minute of two days would take most of a minute.
  await look(series, looks, { every: '5m' })
}, 240_000)

test('quotes that are answered late spend a budget of their own, from the bound that the values set', async () => {
  const series = {
    [quotes('count{operation="createQuote",pod="a"}')]: '0+600x120',
    [quotes('bucket{operation="createQuote",le="0.1",pod="a"}')]: '0+400x120',
    [quotes('bucket{operation="createQuote",le="0.25",pod="a"}')]: '0+600x120',
    [quotes('count{operation="createQuoteBatch",pod="a"}')]: '0+600x120',
    [quotes('bucket{operation="createQuoteBatch",le="0.1",pod="a"}')]: '0x120',
  }
  await look(series, [{ alert: burns, minute: 60, of: ['quotes-in-time'] }])
  const slower = await renderRules(['--set-json', 'monitoring.alerts.objectives.quoteSeconds=0.25'])
  const group = slower.groups.find(({ name }) => name === 'driveaway-objectives')
  await look(series, [{ alert: burns, minute: 60, of: [] }], { group })
})

test('a bound of whole seconds is found as Prometheus 3 writes it', async () => {
  const { groups } = await renderRules(['--set-json', 'monitoring.alerts.objectives.quoteSeconds=1'])
  const group = groups.find(({ name }) => name === 'driveaway-objectives')
  const series = {
    [quotes('count{operation="createQuote",pod="a"}')]: '0+600x120',
    [quotes('bucket{operation="createQuote",le="1.0",pod="a"}')]: '0+300x120',
  }
  await look(series, [{ alert: burns, minute: 60, of: ['quotes-in-time'] }], { group })
})

test('the bounds that the schema of the values allows are those by which answers are measured', async () => {
  const registry = new Registry()
  measure(registry)({ state: { operationId: 'createQuote' }, res: { statusCode: 200 } } as never, 1)
  const text = await registry.metrics()
  const bounds = [...text.matchAll(/duration_seconds_bucket\{le="([\d.]+)"/g)].map(([, bound]) => Number(bound))
  const schema = parse(readFileSync(join(charts, 'driveaway/values.schema.json'), 'utf8')) as Schema
  const { properties } = schema.properties.monitoring.properties.alerts.properties.objectives
  expect(properties.quoteSeconds.enum).toEqual(bounds)
  await expect(
    render('driveaway', 'prices', ['--set-json', 'monitoring.alerts.objectives.quoteSeconds=0.2']),
  ).rejects.toThrow('quoteSeconds')
})

interface Schema {
  properties: {
    monitoring: {
      properties: { alerts: { properties: { objectives: { properties: { quoteSeconds: { enum: number[] } } } } } }
    }
  }
}

test('the operations of the inventory, which are not of pricing, are those of its contract', () => {
  const contract = parse(readFileSync(join(charts, '../api/inventory/openapi.yaml'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  const operations = Object.values(contract.paths)
    .flatMap((path) => Object.values(path).flatMap(({ operationId }) => operationId ?? []))
    .filter((operation) => operation !== 'getSpecification')
  const named = objectives.rules.map(({ expr }) => /operation[!=]~"([\w|]+)"/.exec(expr)?.[1]).filter(Boolean)
  expect([...new Set(named)]).toEqual([operations.sort().join('|')])
})
