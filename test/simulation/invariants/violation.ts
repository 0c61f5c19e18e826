/** Something that must never be so is so; `rule` names the invariant, whatever the message says of the moment. */
export class Violation extends Error {
  override name = 'Violation'
  readonly rule: string

  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}
