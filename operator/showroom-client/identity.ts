import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { ShowroomClientObject } from './object.ts'

type Named = Pick<ShowroomClientObject, 'metadata'>

/** The identity that an object claims to continue, after a restore: that of a lost object of the same name. */
export const claimedIdentity = ({ metadata }: Named): string | undefined => metadata.annotations?.[IDENTITY_ANNOTATION]

/**
 * What access tokens, jobs and the salts of secrets know the client by: the uid of its object, or of the lost object that it
 * continues. No server lets anybody choose a uid.
 */
export const identityOf = (client: Named): string => claimedIdentity(client) ?? client.metadata.uid
