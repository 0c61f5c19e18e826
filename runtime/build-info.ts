import { readFileSync } from 'node:fs'
import { Gauge, type Registry } from 'prom-client'

/** Shows in `registry` that a process of this component runs, and its version. */
export function showBuild(registry: Registry, component: string): void {
  const gauge = new Gauge({
    name: 'driveaway_build_info',
    help: 'Always 1; the version of the program and of Node.',
    labelNames: ['component', 'version', 'node'] as const,
    registers: [registry],
  })
  gauge.set({ component, version: versionHere(), node: process.version }, 1)
}

/** The version of the programs. */
export function versionHere(): string {
  const manifest = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }
  return version ?? 'unknown'
}
