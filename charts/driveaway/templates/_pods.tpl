{{/* The restricted profile of Pod Security, for every pod. */}}
{{- define "driveaway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "driveaway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Settings as environment variables: checkSeconds becomes CHECK_SECONDS. Call with .Values.operator.settings. */}}
{{- define "driveaway.settings" -}}
{{- range $name, $value := . }}
- { name: {{ snakecase $name | upper }}, value: {{ int64 $value | quote }} }
{{- end }}
{{- end }}

{{/* The tracing variables of a program. Call with the root. */}}
{{- define "driveaway.tracing" -}}
{{- with .Values.tracing }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .endpoint | quote }} }
- { name: TRACE_PERCENT, value: {{ .percent | quote }} }
{{- if .headersSecretName }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom: { secretKeyRef: { name: {{ .headersSecretName }}, key: headers } }
{{- end }}
{{- end }}
{{- end }}

{{/* Scheduling of pods. Call with (dict "root" $ "component" "pricing" "pod" .Values.pricing.pod). */}}
{{- define "driveaway.placement" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "driveaway.selector" $ | nindent 8 }}
  {{- end }}
{{- with merge (dict) .pod.nodeSelector .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat .root.Values.tolerations .pod.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The user's environment variables, after those of the chart. Call with .Values.pricing.pod. */}}
{{- define "driveaway.moreEnvironment" -}}
{{- with .env }}{{ toYaml . }}{{ end -}}
{{- end }}

{{- define "driveaway.annotations" -}}
{{- with .Values.podAnnotations }}{{ toYaml . }}{{ end -}}
{{- end }}

{{/* A program that loads data is alive at once, and ready once it has loaded them. */}}
{{- define "driveaway.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 1
  timeoutSeconds: 5
  failureThreshold: 120
livenessProbe:
  httpGet: { path: /livez, port: health }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}

{{/* Endpoints and proxies learn with a delay that a pod terminates, so it serves until then. */}}
{{- define "driveaway.lingering" -}}
preStop:
  sleep: { seconds: 8 }
{{- end }}
