import { Type, type TSchema } from 'typebox'
import { OneOf } from '#rates/engine/grammar/scalar.ts'
import type { PlacedRule } from './attach.ts'

// RFC 7518 6.2.2, 6.3.2, 6.4: the members that make a key private or symmetric. They are in the schema only so that the
// server refuses them. It would drop an unknown field silently, and the secret would stay in Git.
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const

/** The operator stores each of these characters in seven bytes, and a name needs none of them. */
export const NO_CONTROL_CHARACTERS = '^[^\\x00-\\x1F\\x7F]+$'

const base64url = (description: string, maxLength = 1400) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, description }))

/** A public key as a JWK (RFC 7517). */
export const PublicKey = Type.Object({
  kty: OneOf(['EC', 'OKP', 'RSA'], 'Type of the key.'),
  kid: Type.Optional(
    Type.String({
      pattern: NO_CONTROL_CHARACTERS,
      minLength: 1,
      maxLength: 128,
      description: 'What an assertion calls it; needed where there are several.',
    }),
  ),
  use: Type.Optional(OneOf(['sig'], 'Always for signatures.')),
  alg: Type.Optional(
    OneOf(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'PS256'], 'The algorithm that it is for.'),
  ),
  crv: Type.Optional(OneOf(['P-256', 'P-384', 'P-521', 'Ed25519'], 'The curve, for EC and OKP.')),
  x: base64url('Point on the curve, for EC and OKP.', 128),
  y: base64url('Second coordinate, for EC; in YAML the key is quoted: "y".', 128),
  n: base64url('Modulus, for RSA: at least 2048 bits; in YAML the key is quoted: "n".'),
  e: base64url('Exponent, for RSA.', 16),
  ...Object.fromEntries(SECRET_MEMBERS.map((name) => [name, secretMember()])),
})

function secretMember(): TSchema {
  return Type.Optional(Type.String({ maxLength: 8192, description: 'Refused: part of a private or symmetric key.' }))
}

/** The rules of one key, attached at `path`. */
export const publicKeyRules = (path: string): PlacedRule[] => [
  {
    path,
    rule: SECRET_MEMBERS.map((name) => `!has(self.${name})`).join(' && '),
    message: `a public key is expected, without ${SECRET_MEMBERS.join(', ')}; replace any private key that was published here`,
  },
  {
    path,
    rule: "self.kty != 'EC' || (has(self.crv) && self.crv != 'Ed25519' && has(self.x) && has(self.y))",
    message: 'an EC key has crv (P-256, P-384 or P-521), x and y',
  },
  {
    path,
    rule: "self.kty != 'OKP' || (has(self.crv) && self.crv == 'Ed25519' && has(self.x))",
    message: 'an OKP key has crv (Ed25519) and x',
  },
  {
    path,
    rule: "self.kty != 'RSA' || (has(self.n) && has(self.e) && self.n.size() >= 342)",
    message: 'an RSA key has e and n, of at least 2048 bits',
  },
]
