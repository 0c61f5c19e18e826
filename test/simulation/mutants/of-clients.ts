import type { Mutant } from './list.ts'

const BINDING = 'operator/showroom-client/binding.ts'
const DECIDE = 'operator/showroom-client/decide.ts'
const ROTATE = 'operator/signing-keys/rotate.ts'

/** Faults of clients, of their statuses and of the signing keys. */
export const CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'a suspension beside a fault ignored',
    seed: 17,
    file: BINDING,
    find: 'published.suspended || asked.suspended',
    put: 'published.suspended',
  },
  {
    name: 'suspensions ignored',
    seed: 1,
    file: BINDING,
    find: 'spec.suspended === true',
    put: 'false',
  },
  {
    name: 'a client taken for an earlier one of its name',
    seed: 620001,
    file: DECIDE,
    find: 'if (before?.uid === identityOf(client)) return',
    put: 'if (before) return',
  },
  {
    name: 'a client at fault taken out',
    seed: 1,
    file: DECIDE,
    find: 'return { client, binding: asSame(before, narrowed(before, asked)), faults }',
    put: 'return { client, faults }',
  },
  {
    name: 'the next key signs at once',
    seed: 620001,
    file: ROTATE,
    find: '&& reported.every((kids) => kids?.includes(kid))',
    put: '',
  },
  {
    name: 'a previous key dropped at once',
    seed: 1,
    file: ROTATE,
    find: "key.state !== 'previous' || ageOf(key, now) < keptMs",
    put: "key.state !== 'previous'",
  },
  {
    name: 'signing keys over a version that was not read',
    emphasis: 'keys of two operators',
    seed: 733005,
    file: 'operator/signing-keys/stored.ts',
    find: '...(uid && { uid }), ...(resourceVersion && { resourceVersion })',
    put: '',
  },
  {
    name: 'a Secret that cannot be made ends the run',
    seed: 733042,
    file: 'operator/secrets/client-secrets.ts',
    find: 'this.refusals.add(name, error)',
    put: 'throw error',
  },
  {
    name: 'Loaded of a binding since another leader',
    emphasis: 'leaders in turn',
    seed: 733007,
    file: 'operator/showroom-client/ledger.ts',
    find: 'const known = isFollowed ? ledger.records : new Map<string, ClientRecord>()',
    put: 'const known = ledger.records',
  },
  {
    name: 'a ring that nothing signs with taken over',
    seed: 1,
    file: 'api/auth/key-ring.ts',
    find: 'return current?.current === undefined || next.current !== undefined ? next : withVerifiers(current, next)',
    put: 'return next',
  },
  {
    name: 'lost signing keys forgotten',
    seed: 1,
    file: 'operator/signing-keys/ring.ts',
    find: "const lost = published.filter(({ state, jwk }) => state !== 'next' && !kids.has(jwk['kid']))",
    put: 'const lost = published.filter(() => false)',
  },
]
