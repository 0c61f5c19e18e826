import { READABLE_VERSIONS, type Loaded } from '#rates/published/format.ts'
import { ALL_PARTS, type Holder, type Part } from './held.ts'

/** What a process reports about itself. */
export interface Reporting {
  program: string
  instance: string
  parts?: readonly Part[]
  /** When the Kubernetes API server last answered; absent when nothing comes from a cluster. */
  lastContact?: (() => Date | undefined) | undefined
}

/**
 * The body of `/loaded`: the digests that this process serves, and the failures that have not been followed by a
 * successful load.
 */
export function loadedReport(holder: Holder, { parts = ALL_PARTS, lastContact, ...identity }: Reporting): Loaded {
  const { rates, clients, keys } = holder.read()
  return {
    ...identity,
    parts: [...parts],
    formatVersions: [...READABLE_VERSIONS],
    release: rates?.snapshot.release ?? null,
    sequence: rates?.sequence ?? null,
    sets: { ...rates?.snapshot.digests },
    clients: clients ? { digest: clients.digest, sequence: clients.sequence } : null,
    signingKeys: keys ? [...keys.verifiers.keys()] : [],
    loadedAt: rates?.loadedAt ?? null,
    ...(lastContact && { lastContact: isoOf(lastContact()) }),
    lastError: lastError(holder),
  }
}

function isoOf(time: Date | undefined): string | null {
  return time?.toISOString() ?? null
}

/**
 * Ready when all of `parts` are loaded, whatever their age, a key signs, and the process is warm: a late update raises an
 * alert, while an unready process would be an outage. `/loaded` answers earlier, so that the operator can make the first
 * key current.
 */
export function readiness(holder: Holder, parts = ALL_PARTS, isWarm = true): { ok: boolean; body: object } {
  const present = holder.read()
  const missing: string[] = parts.filter((part) => present[part] === undefined)
  if (!isWarm && missing.length === 0) missing.push('the end of the warm-up')
  if (present.keys && present.keys.current === undefined) missing.push('a current signing key')
  const release = present.rates?.snapshot.release ?? null
  return {
    ok: missing.length === 0,
    body: { ready: missing.length === 0, missing, release, lastError: lastError(holder) },
  }
}

function lastError(holder: Holder): string | null {
  const faults = Object.entries(holder.faults()).map(([part, message]) => `${part}: ${message}`)
  return faults.length > 0 ? faults.join('; ') : null
}
