import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** Makes a key pair of age: whoever has the identity can open what is sealed to the recipient. */
export async function newKeyPair(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Whether a text is a recipient that something can be sealed to. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** Seals bytes to every recipient, in the format age-encryption.org/v1: the command `age` opens them as well. */
export function seal(bytes: Uint8Array, recipients: readonly string[]): Promise<Uint8Array> {
  return encrypterFor(recipients).encrypt(bytes)
}

/** Seals bytes as they come, however many they are. */
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

/** Opens sealed bytes; throws where none of the identities is of a recipient, or where the bytes were altered. */
export function open(sealed: Uint8Array, identities: readonly string[]): Promise<Uint8Array> {
  return decrypterFor(identities).decrypt(sealed)
}

/** Opens sealed bytes as they come; what was altered ends the stream with an error. */
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

/** The identities of a file as `age-keygen` writes it: one on a line, with comments. Throws for one that is mistyped. */
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
