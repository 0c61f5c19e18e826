import type { Fault } from '../checks/fault.ts'

/** A position in a file; both numbers start at 1. */
export interface Position {
  line: number
  column: number
}

/** A fault with its position; `path` starts at the top of the document: `spec.rules[0].name`. */
export interface LocatedFault extends Fault, Position {
  file: string
}

/** One line for a reader or an editor: `file:line:column: path: message (check)`. */
export function describeFault(fault: LocatedFault): string {
  const path = fault.path === '' ? '' : `${fault.path}: `
  return `${fault.file}:${fault.line}:${fault.column}: ${path}${fault.message} (${fault.check})`
}
