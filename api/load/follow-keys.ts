import type { V1ConfigMap, V1Secret } from '@kubernetes/client-node'
import { SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { KEYS_KEY, parsePublicKeys, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { importKeyRing, importPublicKeys, NO_KEYS, succeeding, withVerifiers, type KeyRing } from '../auth/key-ring.ts'
import { followObject, type Following } from './follow-object.ts'
import type { KubernetesSourceOptions } from './source.ts'

/** Follows only the public keys: this process verifies tokens and has no right to read the Secret. */
export function followPublicKeys(options: KubernetesSourceOptions): Following {
  return followPublished(options, (ring) => hold(options, ring))
}

/**
 * Follows the Secret, whose current key signs, and the public keys, which may include a key that has left the Secret
 * while its tokens are valid. An operator of the previous version publishes no public keys; then those in the Secret
 * are used.
 */
export function followSigningKeys(options: KubernetesSourceOptions): Following[] {
  let own: KeyRing | undefined
  let published: KeyRing | undefined
  const holdBoth = () => hold(options, withVerifiers(own ?? NO_KEYS, published))
  const secret = followObject<V1Secret>(options, {
    part: 'keys',
    name: SIGNING_KEYS_SECRET,
    kind: 'Secret',
    textOf: ({ data }) => data?.[KEYS_KEY] && Buffer.from(data[KEYS_KEY], 'base64').toString('utf8'),
    load: async (text) => {
      own = await importKeyRing(parsePrivate(text))
      holdBoth()
    },
  })
  const configMap = followPublished(options, (ring) => {
    published = ring
    holdBoth()
  })
  return [secret, configMap]
}

function followPublished(options: KubernetesSourceOptions, take: (ring: KeyRing) => void): Following {
  return followObject<V1ConfigMap>(options, {
    part: 'keys',
    name: PUBLIC_KEYS,
    kind: 'ConfigMap',
    textOf: ({ data }) => data?.[KEYS_KEY],
    load: async (text) => take(await importPublicKeys(parsePublicKeys(text))),
  })
}

function hold({ holder }: KubernetesSourceOptions, ring: KeyRing): void {
  holder.swap({ keys: succeeding(holder.read().keys, ring) })
}

/** The parser's error would quote the text, and `/loaded` shows faults. */
function parsePrivate(text: string): SigningKeys {
  try {
    return JSON.parse(text) as SigningKeys
  } catch {
    throw new Error(`${SIGNING_KEYS_SECRET}: ${KEYS_KEY} is not JSON`)
  }
}
