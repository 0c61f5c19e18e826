import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface Answer {
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>
}
interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Answer> }>>
}

/**
 * Adds the examples of a folder to the successful answers of a document. Each file is named after its operation and its
 * example: `createQuote.suv.json`. Examples have files of their own because answers are long and a test writes them.
 */
export function addExamples(document: object, folder: URL): void {
  if (!existsSync(folder)) return
  const { paths } = document as Described
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const file of readdirSync(folder).sort()) {
    const [operationId, name = ''] = file.split('.')
    const operation = operations.find((each) => each.operationId === operationId)
    const [, answer] = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? []
    const content = answer?.content?.['application/json']
    if (!content) throw new Error(`examples/${file} belongs to no response of the specification`)
    content.examples = {
      ...content.examples,
      [name]: { value: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) },
    }
  }
}
