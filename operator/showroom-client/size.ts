import type { Fault } from '#rates/checks/fault.ts'
import { BINDING_LIMIT, storedSize } from '#rates/published/binding-text.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { bindingOf, type SecretHash } from './binding.ts'
import type { ShowroomClientObject } from './object.ts'

/** A fault for each credential that makes the binding too large; the credentials before it, in their order, fit. */
export function sizeFaults(client: ShowroomClientObject, asked: ClientBinding, secretHash: SecretHash): Fault[] {
  const { credentials } = client.spec
  if (storedSize(asked) <= BINDING_LIMIT) return []
  return credentials.flatMap((_, at) => {
    const spec = { ...client.spec, credentials: credentials.slice(0, at + 1) }
    const size = storedSize(bindingOf({ ...client, spec }, secretHash))
    const message = `with this credential, the published form of the client has ${size} bytes; expected at most ${BINDING_LIMIT}`
    return size > BINDING_LIMIT ? [{ check: 'client-size', path: `credentials[${at}]`, message }] : []
  })
}
