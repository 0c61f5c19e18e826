import { IDENTITY_ANNOTATION } from '#crds/showroom-client.ts'
import type { ShowroomClientObject } from './object.ts'

type Named = Pick<ShowroomClientObject, 'metadata'>

/** The identity of a lost object of the same name, which this object claims to continue after a restore. */
export const claimedIdentity = ({ metadata }: Named): string | undefined => metadata.annotations?.[IDENTITY_ANNOTATION]

/**
 * What access tokens, batches and the salts of secrets identify the client by: the uid of its object, or of the lost
 * object that it continues. No API server lets a user choose a uid.
 */
export const identityOf = (client: Named): string => claimedIdentity(client) ?? client.metadata.uid
