import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { render, tellingClients, valuesOf } from './render.ts'

export interface Rule {
  alert: string
  expr: string
  for: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

export interface Group {
  name: string
  rules: (Rule | { record: string; expr: string })[]
}

/** The rules of a production that tells its clients, as they are rendered for the namespace `prices`. */
export async function renderRules(values: string[] = []): Promise<{ groups: Group[]; alerts: Rule[] }> {
  const all = [...valuesOf('production-apac'), '--set', 'monitoring.alerts.enabled=true', ...tellingClients, ...values]
  const objects = await render('driveaway', 'prices', all)
  const { groups } = (
    objects.find(({ kind }) => kind === 'PrometheusRule') as KubernetesObject & { spec: { groups: Group[] } }
  ).spec
  return { groups, alerts: groups.flatMap(({ rules }) => rules.filter((rule): rule is Rule => 'alert' in rule)) }
}

const run = promisify(execFile)

/** Runs promtool on the rules as they are rendered; JSON is YAML. */
export async function promtool(
  groups: readonly Group[],
  command: string[],
  files: Record<string, object>,
): Promise<string> {
  const folder = temporaryDirectory('promtool')
  try {
    for (const [name, content] of Object.entries({ 'rules.yml': { groups }, ...files }))
      writeFileSync(join(folder.path, name), JSON.stringify(content))
    const { stdout, stderr } = await run('promtool', command, { cwd: folder.path }).catch(
      (error: Error & { code?: string }) => {
        if (error.code === 'ENOENT') throw new Error('promtool is not installed: apt-get install prometheus')
        throw error
      },
    )
    return stdout + stderr
  } finally {
    folder.remove()
  }
}

/** Series of the namespace `prices`, in the notation of promtool. */
export function inPrices(series: Record<string, string>) {
  return Object.entries(series).map(([selector, values]) => {
    const [name, labels = ''] = selector.split('{')
    return { series: `${name}{namespace="prices"${labels && `,${labels.slice(0, -1)}`}}`, values }
  })
}

const filled = (text: string, labels: Record<string, string>) =>
  text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '')

/** The alert as promtool expects it of a rule that fires with these labels. */
export function fired(rule: Rule, own: Record<string, string> = {}) {
  const labels = { namespace: 'prices', ...own }
  const exp_annotations = Object.fromEntries(
    Object.entries(rule.annotations).map(([name, text]) => [name, filled(text, labels)]),
  )
  return { exp_labels: { ...labels, ...rule.labels }, exp_annotations }
}
