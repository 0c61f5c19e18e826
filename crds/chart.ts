import { stringify } from 'yaml'

const KEEP = 'helm.sh/resource-policy'

/**
 * A manifest as a chart template: kept when the release is uninstalled, because deleting a definition deletes every
 * object of its kind. Helm upgrades what stands in `templates/`, and never what stands in `crds/`.
 */
export function chartTemplate(manifest: { metadata: { name: string } }, note: string): string {
  const kept = { ...manifest, metadata: { ...manifest.metadata, annotations: { [KEEP]: 'keep' } } }
  const text = stringify(kept, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
  // Helm reads braces as its own; a description or a rule that has them must reach the API server as it is.
  return note + text.replaceAll('{{', '{{ "{{" }}')
}
