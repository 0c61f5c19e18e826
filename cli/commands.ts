import type { Commands } from './command.ts'

export const commands: Commands = {
  lint: {
    summary: 'every fault of rate sets and cases, with file, line and column',
    load: () => import('./lint.ts'),
  },
  test: {
    summary: 'the worked examples of rate sets, and the cases; what fails, and how its figure came about',
    load: () => import('./test.ts'),
  },
  'new-year': {
    summary: "next year's rate set, carried over from the last one, every figure marked as not verified",
    load: () => import('./new-year.ts'),
  },
  coverage: {
    summary: 'what is in force on a day, and what is missing, not priced or past its review date',
    load: () => import('./coverage.ts'),
  },
  quote: {
    summary: 'one quote from files, as a price sheet',
    load: () => import('./quote.ts'),
  },
  diff: {
    summary: 'what a change says otherwise, from when, and what it does to prices',
    load: () => import('./diff.ts'),
  },
  status: {
    summary: 'what a cluster publishes, and what is loaded where, since when',
    load: () => import('./status.ts'),
  },
  promote: {
    summary: 'what a cluster attested, into the overlay of another',
    load: () => import('./promote.ts'),
  },
  'attestation-key': {
    summary: 'a new key by which an environment attests',
    load: () => import('./attestation-key.ts'),
  },
  'backup-key': {
    summary: 'the key pair that backups are sealed with',
    load: () => import('./backup-key.ts'),
  },
  backup: {
    summary: 'what Git cannot bring back of a lost cluster, sealed, into a folder',
    load: () => import('./backup.ts'),
  },
  restore: {
    summary: 'a backup, into a new cluster',
    load: () => import('./restore.ts'),
  },
  vehicles: {
    summary: 'what the inventory has stored of a client’s vehicles',
    load: () => import('./vehicles.ts'),
  },
  'dead-letters': {
    summary: 'batches and notices that were given up: list them, replay them',
    load: () => import('./dead-letters.ts'),
  },
  notices: {
    summary: 'announcements that wait for a person, and notices that wait: list, release, cancel',
    load: () => import('./notices.ts'),
  },
  completion: {
    summary: 'a script by which bash, zsh or fish completes commands, options and paths',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
}
