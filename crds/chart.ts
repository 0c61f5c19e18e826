import { stringify } from 'yaml'

const KEEP = 'helm.sh/resource-policy'

/**
 * A manifest as a chart template. Helm keeps it when the release is uninstalled, because deleting a definition deletes
 * every object of its kind. The template is in `templates/` because Helm never upgrades what is in `crds/`.
 */
export function chartTemplate(manifest: { metadata: { name: string } }, note: string): string {
  const kept = { ...manifest, metadata: { ...manifest.metadata, annotations: { [KEEP]: 'keep' } } }
  const text = stringify(kept, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
  // Helm interprets double braces, so braces in a description or a rule are escaped.
  return note + text.replaceAll('{{', '{{ "{{" }}')
}
