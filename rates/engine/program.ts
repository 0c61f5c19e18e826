/** One rate set compiled with its imports. */
export interface Program {
  readonly name: string
  readonly digest: string
}
