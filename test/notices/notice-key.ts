import { exportJWK, generateKeyPair } from 'jose'
import type { SigningPair } from '../../notices/signing.ts'

/** A key of its own that signs notices. */
export interface NoticeKey {
  signing: SigningPair
  /** What a worker is told to trust. */
  trusted: string
  /** The private key, as the operator's file holds it. */
  privateJwk: string
}

export async function aNoticeKey(kid = 'test'): Promise<NoticeKey> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return {
    signing: { kid, key: privateKey, publicKey },
    trusted: JSON.stringify([{ ...(await exportJWK(publicKey)), kid }]),
    privateJwk: JSON.stringify({ ...(await exportJWK(privateKey)), kid }),
  }
}
