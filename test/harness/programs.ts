import { programs, type Program } from '../../tools/stack/programs.ts'
import type { ControlPlane } from './control-plane.ts'
import { freePort } from './free-port.ts'

/** The programs of a stack on a control plane, on free ports, as they are run anywhere; they do not know NATS. */
export async function programsOn(controlPlane: ControlPlane): Promise<Program[]> {
  return programs({
    ports: { pricing: await freePort(), inventory: await freePort(), health: await freePort() },
    healthPorts: { operator: await freePort(), inventory: await freePort(), worker: await freePort() },
    kubeconfigs: {
      operator: controlPlane.kubeconfigFor('driveaway-operator'),
      api: controlPlane.kubeconfigFor('driveaway-api'),
      inventory: controlPlane.kubeconfigFor('driveaway-inventory'),
    },
    natsUrl: '',
    logLevel: 'info',
  })
}

/** The same programs, with an operator that asks the API processes which are among them. */
export function askedBy(plan: Program[]): Program[] {
  const apis = plan.filter(({ entry }) => entry === 'api/main.ts')
  const asked = apis.map(({ healthPort }) => `http://127.0.0.1:${healthPort}`).join(',')
  return plan.map((each) =>
    each.name === 'operator' ? { ...each, env: { ...each.env, API_HEALTH_URLS: asked } } : each,
  )
}
