{{/* A namespace holds one release: the programs use objects with fixed names, so names do not contain that of the release. */}}
{{- define "driveaway.labels" -}}
app.kubernetes.io/name: driveaway
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
driveaway.dev/environment: {{ .Values.environment }}
{{- end }}

{{/* The labels that select a component; upgrades never change them. Call with (dict "root" $ "component" "pricing"). */}}
{{- define "driveaway.selector" -}}
app.kubernetes.io/name: driveaway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "driveaway.clientSecretsNamespace" -}}
{{- .Values.clientSecrets.namespace | default (printf "%s-clients" .Release.Namespace) -}}
{{- end }}

{{/* Call with (dict "root" $ "image" .Values.image.platform). A digest takes precedence over a tag. */}}
{{- define "driveaway.image" -}}
{{- required "image.registry is required: the registry, and the path in it, to which the images were pushed (make images REGISTRY=registry.example.com/team PUSH=1; docs/releases.md)" .root.Values.image.registry -}}
/{{- .image.repository -}}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{- define "driveaway.natsUrl" -}}
{{- if .Values.nats.embedded.enabled -}}
nats://driveaway-nats:4222
{{- else -}}
{{- required "nats.url: the address of a NATS server is required where nats.embedded.enabled is false" .Values.nats.url -}}
{{- end -}}
{{- end }}

{{/* The Secrets with a component's NATS login and certificates, as YAML; empty: none. Call with (dict "root" $ "component" "worker"). */}}
{{- define "driveaway.natsSecrets" -}}
{{- $nats := .root.Values.nats -}}
{{- $names := get $nats.secrets .component -}}
{{- if and $nats.embedded.enabled (or $names (ne $nats.tls "offered")) -}}
{{- fail "nats.secrets and nats.tls are for a server of somebody else's: set nats.embedded.enabled to false and nats.url" -}}
{{- end -}}
{{- if $nats.embedded.enabled }}{{ $names = list (printf "driveaway-nats-%s" .component) }}{{ end -}}
{{- with $names }}{{ toYaml . }}{{ end -}}
{{- end }}

{{/* The size of the volume of each NATS server. Fails if the streams may store more: a full disk stops JetStream. */}}
{{- define "driveaway.natsStorageSize" -}}
{{- $size := .Values.nats.embedded.storage.size -}}
{{- $units := dict "Ki" (divf 1 1024) "Mi" 1 "Gi" 1024 "Ti" 1048576 -}}
{{- $mebibytes := mulf (regexFind "^[0-9]+" $size | float64) (get $units (regexFind "[A-Z]i$" $size)) -}}
{{- $stored := .Values.nats.storeMegabytes | int -}}
{{- if .Values.notices.enabled }}{{ $stored = add $stored (int .Values.notices.storeMegabytes) }}{{ end -}}
{{- if include "driveaway.decisionsByNats" . }}{{ $stored = add $stored (int .Values.decisionLog.megabytes) }}{{ end -}}
{{- if lt $mebibytes (float64 $stored) -}}
{{- fail (printf "nats.embedded.storage.size: %s is less than the streams may store, %dMi (nats.storeMegabytes and, with notices, notices.storeMegabytes; with a decision log, decisionLog.megabytes)" $size $stored) -}}
{{- end -}}
{{- $size -}}
{{- end }}

{{/* Whether the decision log goes to NATS: "true" or empty. */}}
{{- define "driveaway.decisionsByNats" -}}
{{- if and .Values.decisionLog.enabled (eq .Values.decisionLog.to "nats") -}}true{{- end -}}
{{- end }}

{{/* Call with (dict "root" $ "component" "worker"), like the next two. */}}
{{- define "driveaway.natsEnvironment" -}}
{{- $component := . -}}
{{- with .root -}}
- { name: NATS_URL, value: {{ include "driveaway.natsUrl" . | quote }} }
- { name: NATS_TLS, value: {{ .Values.nats.tls }} }
{{- if include "driveaway.natsSecrets" $component }}
- { name: NATS_SECRET_DIRECTORY, value: /etc/driveaway/nats }
{{- end }}
- { name: NATS_REPLICAS, value: {{ .Values.nats.embedded.enabled | ternary .Values.nats.embedded.replicas .Values.nats.streamReplicas | quote }} }
- { name: NATS_STORE_MEGABYTES, value: {{ .Values.nats.storeMegabytes | quote }} }
{{- if ne $component.component "operator" }}
- { name: VEHICLES_KEPT_DAYS, value: {{ .Values.inventory.vehiclesKeptDays | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "driveaway.natsMount" -}}
- { name: nats, mountPath: /etc/driveaway/nats, readOnly: true }
{{- end }}

{{/* Mounts all Secrets in one folder: a login and certificates often come from different sources. */}}
{{- define "driveaway.natsVolume" -}}
- name: nats
  projected:
    defaultMode: 0440
    sources:
      {{- range include "driveaway.natsSecrets" . | fromYamlArray }}
      - secret: { name: {{ . }} }
      {{- end }}
{{- end }}

{{/* Whether clients are notified of releases: "true" or empty. */}}
{{- define "driveaway.notices" -}}
{{- if .Values.notices.enabled -}}
{{- if not .Values.inventory.enabled }}{{ fail "notices.enabled: inventory.enabled is required, whose worker sends the e-mails" }}{{ end -}}
true
{{- end -}}
{{- end }}

{{- define "driveaway.issuer" -}}
{{- required "issuer.url is required: the https address under which clients reach the pricing API" .Values.issuer.url -}}
{{- end }}

{{/* The keys whose attestations count, as JSON. Checked here, because a fault of the schema could not say how to create a key. */}}
{{- define "driveaway.trustedKeys" -}}
{{- if not .Values.promotion.trustedKeys -}}
{{- $make := printf "driveaway attestation-key --environment %s --kid %s-1" (first .Values.promotion.environments) (first .Values.promotion.environments) -}}
{{- fail (printf "promotion.trustedKeys: this release publishes only what a trusted key attested, and no key is listed. Make one with: %s (it prints the Secret for %s and the lines for these values; docs/promotion.md)" $make (first .Values.promotion.environments)) -}}
{{- end -}}
{{- $counts := false -}}
{{- range .Values.promotion.trustedKeys -}}
{{- if has .environment $.Values.promotion.environments }}{{ $counts = true }}{{ end -}}
{{- /* The schema checks the form of a date, not the calendar. */}}
{{- if and .signsUntil (ne .signsUntil (toDate "2006-01-02" .signsUntil | date "2006-01-02")) -}}
{{- fail (printf "promotion.trustedKeys: signsUntil of the key %s is %s, which is no day" .kid .signsUntil) -}}
{{- end -}}
{{- end -}}
{{- if not $counts -}}
{{- fail (printf "promotion.trustedKeys: no key is of an environment in promotion.environments (%s), so nothing would ever be published" (join ", " .Values.promotion.environments)) -}}
{{- end -}}
{{- toJson .Values.promotion.trustedKeys -}}
{{- end }}

{{/* The emergency keys, as JSON. A key of staging cannot be one of them: its holder could then bypass staging. */}}
{{- define "driveaway.emergencyKeys" -}}
{{- range $emergency := .Values.promotion.emergencyKeys -}}
{{- range $trusted := $.Values.promotion.trustedKeys -}}
{{- if or (eq $emergency.kid $trusted.kid) (eq $emergency.x $trusted.x) -}}
{{- fail (printf "promotion.emergencyKeys: the key %s has the kid or the x of %s in promotion.trustedKeys; an emergency key is a key of its own: driveaway attestation-key --emergency (docs/wrong-price.md)" $emergency.kid $trusted.kid) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson .Values.promotion.emergencyKeys -}}
{{- end }}
