import { registerHooks } from 'node:module'

// For one method of KubeConfig, which no program calls, client-node loads 837 generated modules (decision 0087).
const IMPORTER = '@kubernetes/client-node/dist/config.js'
const MODELS = './gen/index.js'

const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === MODELS && context.parentURL?.endsWith(IMPORTER)
      ? { url: new URL('./models-on-demand.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
})
const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
hooks.deregister()

/** The KubeConfig of client-node, without the generated models of the Kubernetes API until something asks for them. */
export { KubeConfig }
export type KubeConfig = InstanceType<typeof KubeConfig>
