import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { parse } from 'yaml'
import { applyObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { waitFor } from '../harness/wait-for.ts'

interface Published {
  module: string
  sum: string
  files: string[]
}

/** The kinds of others that the chart makes objects of, as their projects publish them in a Go module of this checksum. */
const OF_THE_CHART: Published[] = [
  {
    module: 'github.com/kedacore/keda/v2@v2.18.3',
    sum: 'h1:PY3o80tzBAzCffS8J6eBZctT4B+g/r26zErNSMleC50=',
    files: ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    files: ['servicemonitors', 'prometheusrules'].map(
      (plural) => `example/prometheus-operator-crd/monitoring.coreos.com_${plural}.yaml`,
    ),
  },
  {
    module: 'sigs.k8s.io/gateway-api@v1.4.1',
    sum: 'h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=',
    files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  },
]

/** Those of the examples for GitOps. */
export const OF_GITOPS: Published[] = [
  {
    module: 'github.com/argoproj/argo-cd/v3@v3.2.1',
    sum: 'h1:rvrkW/JdH4V+xJgNDZI9wa/Ygd+fWoGbd1rAhvno22c=',
    files: ['manifests/crds/application-crd.yaml'],
  },
  {
    module: 'github.com/fluxcd/source-controller@v1.7.3',
    sum: 'h1:gFfeBiNUgF0kFFGap/rrMeJqz+0Tod0ARENJO8w/UA8=',
    files: ['gitrepositories', 'helmrepositories'].map(
      (plural) => `config/crd/bases/source.toolkit.fluxcd.io_${plural}.yaml`,
    ),
  },
  {
    module: 'github.com/fluxcd/kustomize-controller@v1.7.3',
    sum: 'h1:SzNnGn/4ObAPEHHleM5U7y/AKxKXph3Vj6ZhteeXw8M=',
    files: ['config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml'],
  },
  {
    module: 'github.com/fluxcd/helm-controller@v1.4.3',
    sum: 'h1:449LcGJXLCylvrNCq8ycevwa5mxE1Mn9vxTwlsj/no8=',
    files: ['config/crd/bases/helm.toolkit.fluxcd.io_helmreleases.yaml'],
  },
  {
    module: 'github.com/external-secrets/external-secrets@v0.20.4',
    sum: 'h1:HhNAjWfFEshhItphr28SGsHzf2bUP7uDAOVLg76uNAg=',
    files: ['config/crds/bases/external-secrets.io_externalsecrets.yaml'],
  },
]

interface Definition extends KubernetesObject {
  spec: { group: string; names: { plural: string }; versions: { name: string; served: boolean }[] }
}

/** Downloads the modules, or takes them from Go's cache; a module with another checksum is an error. */
async function definitions(published: readonly Published[]): Promise<Definition[]> {
  const found = await Promise.all(
    published.map(async ({ module, sum, files }) => {
      const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module])
      const { Dir, Sum } = JSON.parse(stdout) as { Dir: string; Sum: string }
      if (Sum !== sum) throw new Error(`${module} has the checksum ${Sum}, expected ${sum}`)
      return files.map((file) => parse(readFileSync(join(Dir, file), 'utf8')) as Definition)
    }),
  )
  return found.flat()
}

/** Installs the definitions and waits until their kinds are served. */
export async function installPublishedKinds(
  kubeConfig: KubeConfig,
  published: readonly Published[] = OF_THE_CHART,
): Promise<void> {
  for (const definition of await definitions(published)) {
    await applyObject(kubeConfig, definition, { fieldManager: 'test', force: true })
    const { group, names, versions } = definition.spec
    const version = versions.find(({ served }) => served)?.name
    await waitFor(`${names.plural} to be served`, () =>
      requestKube<object>(kubeConfig, { path: `/apis/${group}/${version}/${names.plural}` }),
    )
  }
}
