/** What a client may be granted; a scope of its token names the same. */
export const GRANTS = ['pricing:quote', 'inventory:write'] as const

/** Grants that only a machine's own token gives, never one that stands for a user. */
export const MACHINE_GRANTS: readonly string[] = ['inventory:write']
