/**
 * Oldest supported server: 2.12.3 and 2.12.4 lose dead-lettered messages of a replicated work queue (nats-server 7817).
 */
const OLDEST = [2, 12, 5] as const
/** Message size in bytes that a server must accept. */
const SMALLEST_PAYLOAD = 4 * 1024 * 1024

/** Why a NATS server cannot be used, from its own information; undefined when it can be used. */
export function serverFault(
  info: { version: string; max_payload: number; jetstream?: boolean } | undefined,
): string | undefined {
  if (!info) return 'the server has sent no information about itself'
  if (!isRecent(info.version)) return `nats-server ${info.version} is older than ${OLDEST.join('.')}`
  if (info.max_payload < SMALLEST_PAYLOAD) {
    return `max_payload is ${info.max_payload} bytes; at least ${SMALLEST_PAYLOAD} are needed`
  }
  return info.jetstream ? undefined : 'JetStream is not enabled'
}

function isRecent(version: string): boolean {
  // 2.14.0-RC.1 counts as 2.14.0.
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  for (const [index, oldest] of OLDEST.entries()) {
    const part = parts[index] ?? 0
    if (part !== oldest) return part > oldest
  }
  return true
}
