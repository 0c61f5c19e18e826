/** Changes that take a right away: which of them are still to be published. */
export interface Revocations {
  /** One more is to be published. */
  add(): void
  /** Whether one waits: whatever a run of the clients can put off, it puts off then. */
  isWaiting(): boolean
  /** Called when a run reads the clients; what it returns is called when they are published. */
  read(): () => void
}

export function createRevocations(): Revocations {
  let told = 0
  let published = 0
  return {
    add: () => void told++,
    isWaiting: () => told > published,
    read: () => {
      const upTo = told
      return () => void (published = Math.max(published, upTo))
    },
  }
}
