import type { PublishedKind } from '#rates/published/format.ts'

/** Keys of the work queues: one for each publication, the signing keys, the notices, and each object's status. */
export const PUBLISH_RATES = 'publish/rates'
export const PUBLISH_CLIENTS = 'publish/clients'
export const SIGNING_KEYS = 'signing-keys'
export const NOTICES = 'notices'
/** The key for the notice addresses of one client. */
export const noticeCardKey = (name: string) => `${NOTICES}/${name}`
export const publicationKey = (kind: PublishedKind) => (kind === 'rates' ? PUBLISH_RATES : PUBLISH_CLIENTS)
export const kindOf = (key: string): PublishedKind => (key === PUBLISH_RATES ? 'rates' : 'clients')
export const rateSetKey = (name: string) => `rate-set/${name}`
export const clientKey = (name: string) => `client/${name}`
export const statusKey = (kind: PublishedKind, name: string) => (kind === 'rates' ? rateSetKey(name) : clientKey(name))
