import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { oneLine } from '#notices/render/words.ts'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { readEmergency, timeOf } from '#rates/published/emergency.ts'
import { WrongCall } from '../help.ts'

/** The folder in an overlay that the command owns: a kustomize component with one patch per rate set. */
export const COMPONENT = 'attestations'

const FILE = 'kustomization.yaml'
const HEADER = '# Written by driveaway promote; do not edit.\n'

/**
 * The attestations in an overlay, by name of the rate set. Throws WrongCall for a folder that is not such an overlay.
 */
export function readOverlay(directory: string): Map<string, string> {
  const file = join(directory, FILE)
  if (!existsSync(file)) throw new WrongCall(`${directory} is not an overlay: it has no ${FILE}`)
  const { components } = parse(readFileSync(file, 'utf8')) as { components?: unknown }
  if (!Array.isArray(components) || !components.includes(COMPONENT))
    throw new WrongCall(`${file} does not name ${COMPONENT} among its components`)
  return new Map(patchesIn(join(directory, COMPONENT)).map((name) => [name, attestationIn(patchFile(directory, name))]))
}

/** Writes exactly these attestations into an overlay; files whose content would not change are not touched. */
export function writeOverlay(directory: string, attestations: ReadonlyMap<string, string>): void {
  const names = [...attestations.keys()].sort()
  for (const name of names) writeChanged(patchFile(directory, name), patch(name, attestations.get(name) ?? ''))
  writeChanged(join(directory, COMPONENT, FILE), component(names))
  for (const name of patchesIn(join(directory, COMPONENT)))
    if (!attestations.has(name)) rmSync(patchFile(directory, name))
}

/** The patch file of one rate set. */
export function patchFile(directory: string, name: string): string {
  return join(directory, COMPONENT, `${name}.yaml`)
}

function patchesIn(folder: string): string[] {
  if (!existsSync(folder)) throw new WrongCall(`there is no folder ${folder}`)
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== FILE)
  return files.map((file) => file.slice(0, -'.yaml'.length)).sort()
}

function attestationIn(file: string): string {
  const read = parse(readFileSync(file, 'utf8')) as { metadata?: { annotations?: Record<string, string> } } | null
  return read?.metadata?.annotations?.[ATTESTATION_ANNOTATION] ?? ''
}

function patch(name: string, attestation: string): string {
  const head = `${HEADER}${emergencyLine(attestation)}apiVersion: rates.driveaway.dev/v1alpha1\nkind: RateSet\nmetadata:\n  name: ${name}\n`
  return `${head}  annotations:\n    ${ATTESTATION_ANNOTATION}: ${attestation}\n`
}

/** A comment that shows reviewers what the signature encodes: who broke the glass, why, and until when. */
function emergencyLine(attestation: string): string {
  const emergency = readEmergency(attestation)
  if (!emergency) return ''
  const { reason, exp } = emergency.claims
  return `# Emergency, by key ${emergency.kid}, until ${timeOf(exp)}: ${oneLine(reason)}\n`
}

function component(names: readonly string[]): string {
  const patches = names.length === 0 ? ' []' : names.map((name) => `\n  - path: ${name}.yaml`).join('')
  return `${HEADER}apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:${patches}\n`
}

function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}
