import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a program says; `models` counts the generated models of client-node that it has loaded so far. */
const printed = (program: string): string =>
  execFileSync(
    process.execPath,
    [
      ...['--input-type=module', '--eval'],
      `import { registerHooks } from 'node:module'
      let models = 0
      registerHooks({
        load: (url, context, next) => {
          if (url.includes('/client-node/dist/gen/models/')) models++
          return next(url, context)
        },
      })
      const said = []
      ${program}
      console.log(said.join(' '))`,
    ],
    { encoding: 'utf8' },
  ).trim()

const OWN = `const { KubeConfig } = await import('#runtime/kube/kube-config.ts')`
const LIBRARY = `const { CoreV1Api, KubeConfig: TheirKubeConfig } = await import('@kubernetes/client-node')`
const A_CLIENT = `
  const kubeConfig = new KubeConfig()
  kubeConfig.loadFromClusterAndUser({ name: 'a', server: 'http://127.0.0.1:1', skipTLSVerify: true }, { name: 'b' })
  const core = kubeConfig.makeApiClient(CoreV1Api)
  said.push(KubeConfig === TheirKubeConfig, await core.listNamespace().catch(({ message }) => message))`

test('a kubeconfig is read without the generated models of the API', () => {
  const read = `new KubeConfig().loadFromString('{ clusters: [], users: [], contexts: [] }'); said.push(models)`
  expect(printed(`${OWN}; ${read}`)).toBe('0')
})

test.each([
  ['before', `${OWN}; ${LIBRARY}; ${A_CLIENT}`],
  ['after', `${LIBRARY}; ${OWN}; ${A_CLIENT}`],
])('where the library is loaded %s, its clients of the API work', (_, program) => {
  expect(printed(program)).toBe('true fetch failed')
})
