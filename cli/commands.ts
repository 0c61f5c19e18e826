import type { Commands } from './command.ts'

export const commands: Commands = {
  lint: {
    summary: 'lists every fault of rate sets and cases, with file, line and column',
    load: () => import('./lint.ts'),
  },
  test: {
    summary: 'runs the worked examples of rate sets, and the cases; explains each figure that fails',
    load: () => import('./test.ts'),
  },
  'new-year': {
    summary: "makes next year's rate set from the last one, with every figure marked as not verified",
    load: () => import('./new-year.ts'),
  },
  coverage: {
    summary: 'shows what is in force on a day, and what is missing, not priced or past its review date',
    load: () => import('./coverage.ts'),
  },
  quote: {
    summary: 'prices one request from files, as a price sheet',
    load: () => import('./quote.ts'),
  },
  explore: {
    summary: 'rate sets in a browser: prices, curves with their cliffs, changes, evidence',
    load: () => import('./explore.ts'),
  },
  diff: {
    summary: 'shows what a change of rate sets changes, from which day, and the effect on prices',
    load: () => import('./diff.ts'),
  },
  shadow: {
    summary: 'prices the requests of clients with the release in force and with a candidate, side by side',
    load: () => import('./shadow.ts'),
  },
  status: {
    summary: 'shows what a cluster publishes, and what each API process has loaded',
    load: () => import('./status.ts'),
  },
  promote: {
    summary: 'copies the attestations of one cluster into the overlay of another',
    load: () => import('./promote.ts'),
  },
  'attestation-key': {
    summary: 'makes a key with which an environment attests',
    load: () => import('./attestation-key.ts'),
  },
  'release-key': {
    summary: 'makes a key with which an environment signs bundles of its releases',
    load: () => import('./release-key.ts'),
  },
  bundle: {
    summary: 'writes a release as one signed file, or checks one',
    load: () => import('./bundle.ts'),
  },
  verify: {
    summary: 'verifies the receipt of a quote, offline, and prices it again with a bundle',
    load: () => import('./verify.ts'),
  },
  'backup-key': {
    summary: 'makes the key pair that encrypts backups',
    load: () => import('./backup-key.ts'),
  },
  backup: {
    summary: 'backs up what Git cannot restore of a lost cluster, encrypted, into a folder',
    load: () => import('./backup.ts'),
  },
  restore: {
    summary: 'restores a backup into a new cluster',
    load: () => import('./restore.ts'),
  },
  vehicles: {
    summary: 'shows or deletes the stored vehicles of a client',
    load: () => import('./vehicles.ts'),
  },
  'dead-letters': {
    summary: 'lists and replays batches and notices that were given up',
    load: () => import('./dead-letters.ts'),
  },
  notices: {
    summary: 'lists, releases and cancels waiting announcements and notices',
    load: () => import('./notices.ts'),
  },
  completion: {
    summary: 'prints the completion script of bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
}
