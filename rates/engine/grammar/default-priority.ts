/** The priority of a rule that states none. Apart from the grammar of a rule, whose library a program that only prices does not load. */
export const DEFAULT_PRIORITY = 100
