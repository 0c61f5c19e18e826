import type { LocatedFault } from '#rates/files/located.ts'

/** Faults as a SARIF 2.1.0 log, which code review systems show beside the lines. */
export function sarifLog(faults: readonly LocatedFault[]): object {
  const checks = [...new Set(faults.map(({ check }) => check))].sort()
  const rules = checks.map((id) => ({ id, shortDescription: { text: id.replaceAll('-', ' ') } }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      { tool: { driver: { name: 'driveaway', rules } }, columnKind: 'utf16CodeUnits', results: faults.map(result) },
    ],
  }
}

function result({ file, line, column, check, path, message }: LocatedFault): object {
  const physicalLocation = {
    artifactLocation: { uri: file.replaceAll('\\', '/') },
    region: { startLine: line, startColumn: column },
  }
  return {
    ruleId: check,
    level: 'error',
    message: { text: path === '' ? message : `${path}: ${message}` },
    locations: [{ physicalLocation }],
  }
}
