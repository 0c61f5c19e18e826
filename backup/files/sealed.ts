import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** Creates a key pair of age: the identity opens what is sealed to the recipient. */
export async function newKeyPair(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Whether a text is a valid recipient. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** Seals bytes to every recipient, in the format age-encryption.org/v1, which the command `age` opens too. */
export function seal(bytes: Uint8Array, recipients: readonly string[]): Promise<Uint8Array> {
  return encrypterFor(recipients).encrypt(bytes)
}

/** Seals a stream of bytes of any length. */
export function sealEach(
  bytes: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  return encrypterFor(recipients).encrypt(ReadableStream.from(bytes))
}

function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter
}

/** Opens sealed bytes; throws when none of the identities belongs to a recipient, or when the bytes were altered. */
export function open(sealed: Uint8Array, identities: readonly string[]): Promise<Uint8Array> {
  return decrypterFor(identities).decrypt(sealed)
}

/** Opens a stream of sealed bytes; altered bytes end the stream with an error. */
export function openEach(
  sealed: ReadableStream<Uint8Array>,
  identities: readonly string[],
): Promise<ReadableStream<Uint8Array>> {
  return decrypterFor(identities).decrypt(sealed)
}

function decrypterFor(identities: readonly string[]): Decrypter {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return decrypter
}

/** Parses the identities of a file of `age-keygen`: one on each line, with comments. Throws for a mistyped one. */
export function identitiesIn(text: string, file: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    const identity = line.trim()
    if (!identity.startsWith('AGE-SECRET-KEY-')) return []
    // The library's error would quote the secret.
    if (!isIdentity(identity)) throw new Error(`${file}:${at + 1} is not an age identity: it is truncated or mistyped`)
    return [identity]
  })
}

function isIdentity(text: string): boolean {
  try {
    new Decrypter().addIdentity(text)
    return true
  } catch {
    return false
  }
}
