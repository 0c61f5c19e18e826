import type { V1Secret } from '@kubernetes/client-node'
import type { Clock } from '#runtime/clock.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'

export const refusal = (code: number, message: string) => new KubeApiError('POST secrets', { code, message })

type Refuse = (name: string, attempt: number, object: V1Secret) => Error | undefined

/**
 * A cluster that stores Secrets, and refuses those that `refuse` has an answer for; those of the names in `foreign` have
 * another type, and those of the names in `unread` cannot be read for five seconds, and the error quotes them. Time passes only where it is said, and `createMs` for each creation.
 */
export function world(refuse: Refuse = () => undefined, createMs = 0) {
  const stored = new Map<string, V1Secret>()
  const foreign = new Set<string>()
  const unread = new Set<string>()
  const reads: { name: string; timeoutMs: number | undefined }[] = []
  const attempts = new Map<string, number>()
  let elapsed = 0
  const clock: Clock = {
    now: () => new Date(elapsed),
    elapsed: () => elapsed,
    sleep: (ms) => Promise.resolve(void (elapsed += ms)),
    after: () => () => undefined,
    turn: () => Promise.resolve(),
  }
  const kube = {
    create: (object: V1Secret) => {
      const name = object.metadata?.name ?? ''
      const attempt = (attempts.get(name) ?? 0) + 1
      attempts.set(name, attempt)
      elapsed += createMs
      const error = refuse(name, attempt, object)
      if (error) {
        error.message += ` ${JSON.stringify(object.data)}`
        return Promise.reject(error)
      }
      if (foreign.has(name) || stored.has(name)) return Promise.reject(refusal(409, 'already exists'))
      const made = { ...object, metadata: { ...object.metadata, uid: `uid-${name}`, resourceVersion: '1' } }
      stored.set(name, made)
      return Promise.resolve(made)
    },
    page: ({ fieldSelector = '', timeoutMs }: { fieldSelector?: string; timeoutMs?: number }) => {
      const name = /metadata.name=([^,]*)/.exec(fieldSelector)?.[1] ?? ''
      reads.push({ name, timeoutMs })
      if (unread.has(name)) {
        elapsed += 5000
        return Promise.reject(new Error(`timeout behind ${JSON.stringify(stored.get(name))}`))
      }
      const secret = stored.get(name)
      return Promise.resolve({ items: secret ? [secret] : [] })
    },
  } as unknown as Kube
  const seen = new Map<string, V1Secret>()
  const lines: string[] = []
  const log = createLog({ name: 'test' }, { write: (line) => void lines.push(line) })
  const secrets = clientSecrets({ kube, namespace: 'clients' }, (name) => seen.get(name), clock, log)
  return { secrets, stored, foreign, unread, reads, attempts, seen, lines, pass: (ms: number) => (elapsed += ms) }
}
