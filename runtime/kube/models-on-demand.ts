import { createRequire } from 'node:module'

// What client-node's KubeConfig imports of the generated models, loaded when `makeApiClient` first needs them.
interface Models {
  createConfiguration: (options: unknown) => unknown
  ServerConfiguration: new (url: string, variables: unknown) => object
}

const require = createRequire(import.meta.url)
const models = () => require('@kubernetes/client-node/dist/gen/index.js') as Models

export const createConfiguration = (options: unknown): unknown => models().createConfiguration(options)

/** Called with `new`. */
export function ServerConfiguration(url: string, variables: unknown): object {
  return new (models().ServerConfiguration)(url, variables)
}
