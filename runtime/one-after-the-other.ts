/** Does work one after the other, in the order in which it comes: work that reads and then writes would not see what is done beside it. */
export function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
}
