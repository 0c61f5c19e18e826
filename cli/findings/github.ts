import type { LocatedFault } from '#rates/files/located.ts'

/** A fault as a workflow command of GitHub Actions, which shows the fault beside the line in a pull request. */
export function githubCommand({ file, line, column, check, path, message }: LocatedFault): string {
  const place = [`file=${property(file)}`, `line=${line}`, `col=${column}`, `title=${property(check)}`].join(',')
  return `::error ${place}::${data(path === '' ? message : `${path}: ${message}`)}`
}

// The escapes that the runner decodes: these in data, and also `:` and `,` in a property.
const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
