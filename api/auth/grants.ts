/** The grants of a client; the scopes of its token have the same names. */
export const GRANTS = ['pricing:quote', 'inventory:write'] as const

/** Grants that only the token of a machine carries, never a token on behalf of a user. */
export const MACHINE_GRANTS: readonly string[] = ['inventory:write']
