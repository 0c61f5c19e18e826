import { publicKeyRules } from './public-key.ts'
import { exactlyOne, uniqueValues } from './rule-forms.ts'
import type { PlacedRule } from './attach.ts'

/** The rules for a ShowroomClient beyond its schema. */
export const SHOWROOM_CLIENT_RULES: PlacedRule[] = [
  {
    path: '.',
    rule: 'self.metadata.name.size() <= 63',
    message: 'the name, which is the client_id, has at most 63 characters',
  },
  // The operator publishes each code once, even if it is repeated.
  uniqueValues('.spec.showroomCodes', 'each showroom code stands once (checked up to 200)', 200),
  uniqueValues('.spec.grants', 'each grant stands once'),
  exactlyOne('.spec.credentials[]', ['secretRef', 'jwks', 'subject']),
  ...publicKeyRules('.spec.credentials[].jwks.keys[]'),
  {
    path: '.spec.credentials[].jwks.keys',
    rule: 'self.size() == 1 || self.all(a, has(a.kid) && self.exists_one(b, has(b.kid) && b.kid == a.kid))',
    message: 'when there are several keys, each needs a distinct kid',
  },
]
