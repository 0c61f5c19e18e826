{{/* A Service for a program that serves only metrics. */}}
{{- define "driveaway.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  name: driveaway-{{ .name }}
  labels: {{- include "driveaway.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  clusterIP: None
  selector: {{- include "driveaway.selector" (dict "root" .root "component" .name) | nindent 4 }}
  ports:
    - { name: health, port: 8090, targetPort: health }
{{- end }}
