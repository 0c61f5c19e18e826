{{/* One of the two APIs; they differ in their port. Call with (dict "root" $ "name" "pricing" "values" .Values.pricing). */}}
{{- define "driveaway.apiDeployment" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: driveaway-{{ .name }}
  labels: {{- include "driveaway.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "driveaway.selector" (dict "root" $root "component" .name) | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{- include "driveaway.selector" (dict "root" $root "component" .name) | nindent 8 }}
      annotations: {{- include "driveaway.annotations" $root | nindent 8 }}
    spec:
      serviceAccountName: {{ eq .name "inventory" | ternary "driveaway-inventory" "driveaway-api" }}
      securityContext: {{- include "driveaway.podSecurity" $root | nindent 8 }}
      terminationGracePeriodSeconds: 45
      containers:
        - name: {{ .name }}
          image: {{ include "driveaway.image" (dict "root" $root "image" $root.Values.image.platform) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [api/main.ts]
          securityContext: {{- include "driveaway.containerSecurity" $root | nindent 12 }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ .values.port }} }
            - { name: health, containerPort: 8090 }
          lifecycle: {{- include "driveaway.lingering" $root | nindent 12 }}
          {{- include "driveaway.probes" $root | nindent 10 }}
          env:
            - { name: SERVE, value: {{ .name }} }
            - name: NAMESPACE
              valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
            - { name: HOST, value: "::" }
            - { name: {{ upper .name }}_PORT, value: {{ .values.port | quote }} }
            - { name: HEALTH_HOST, value: "::" }
            - { name: DRAIN_SECONDS, value: "5" }
            - { name: PROXY_HOPS, value: {{ $root.Values.proxyHops | quote }} }
            - { name: ISSUER, value: {{ include "driveaway.issuer" $root | quote }} }
            {{- with $root.Values.issuer.audience }}
            - { name: AUDIENCE, value: {{ . | quote }} }
            {{- end }}
            {{- with $root.Values.issuer.external }}
            - { name: EXTERNAL_ISSUERS, value: {{ toJson . | quote }} }
            {{- end }}
            {{- if eq .name "pricing" }}
            - { name: PRICING_REQUESTS_PER_MINUTE, value: {{ .values.requestsPerMinute | quote }} }
            {{- if $root.Values.explorer.enabled }}
            - { name: EXPLORER, value: {{ $root.Values.explorer.public | ternary "public" "clients" }} }
            {{- end }}
            - { name: RELEASES_KEEP_DAYS, value: {{ int64 $root.Values.releases.keepDays | quote }} }
            {{- if $root.Values.releases.keySecretName }}
            - { name: RELEASE_KEY_FILE, value: /etc/driveaway/release/key.json }
            - { name: RELEASE_KEYS_FILE, value: /etc/driveaway/release/keys.json }
            {{- end }}
            {{- if $root.Values.releases.archive.claimName }}
            - { name: RELEASES_ARCHIVE, value: /mnt/releases }
            {{- end }}
            {{- end }}
            {{- if and (eq .name "pricing") $root.Values.decisionLog.enabled }}
            - { name: DECISION_LOG, value: {{ eq $root.Values.decisionLog.to "nats" | ternary "nats:decisions" "file:/var/lib/driveaway/decisions.jsonl" | quote }} }
            - { name: DECISION_LOG_ONE_IN, value: {{ int64 $root.Values.decisionLog.oneIn | quote }} }
            - { name: DECISION_LOG_MEGABYTES, value: {{ int64 $root.Values.decisionLog.megabytes | quote }} }
            {{- if include "driveaway.decisionsByNats" $root }}
            - { name: NATS_URL, value: {{ include "driveaway.natsUrl" $root | quote }} }
            - { name: NATS_TLS, value: {{ $root.Values.nats.tls }} }
            {{- if include "driveaway.natsSecrets" (dict "root" $root "component" .name) }}
            - { name: NATS_SECRET_DIRECTORY, value: /etc/driveaway/nats }
            {{- end }}
            {{- end }}
            {{- end }}
            {{- if eq .name "inventory" }}
            {{- include "driveaway.natsEnvironment" (dict "root" $root "component" .name) | nindent 12 }}
            - { name: INVENTORY_REPLICAS, value: {{ .values.replicas | quote }} }
            - { name: REQUESTS_PER_MINUTE, value: {{ .values.requestsPerMinute | quote }} }
            {{- end }}
            {{- include "driveaway.tracing" $root | nindent 12 }}
            - { name: LOG_LEVEL, value: {{ $root.Values.logLevel }} }
            {{- include "driveaway.moreEnvironment" .values.pod | nindent 12 }}
      {{- $nats := dict "root" $root "component" .name }}
      {{- $isPricing := eq .name "pricing" }}
      {{- $signs := and $isPricing $root.Values.releases.keySecretName }}
      {{- $decides := and $isPricing $root.Values.decisionLog.enabled (eq $root.Values.decisionLog.to "file") }}
      {{- $logsIn := and (or (not $isPricing) (include "driveaway.decisionsByNats" $root)) (include "driveaway.natsSecrets" $nats) }}
      {{- if or $signs $decides $logsIn }}
          volumeMounts:
            {{- if $signs }}
            - { name: release-keys, mountPath: /etc/driveaway/release, readOnly: true }
            {{- if $root.Values.releases.archive.claimName }}
            - { name: releases, mountPath: /mnt/releases, readOnly: true }
            {{- end }}
            {{- end }}
            {{- if $decides }}
            - { name: decisions, mountPath: /var/lib/driveaway }
            {{- end }}
            {{- if $logsIn }}
            {{- include "driveaway.natsMount" $nats | nindent 12 }}
            {{- end }}
      volumes:
        {{- if $signs }}
        - name: release-keys
          secret: { secretName: {{ $root.Values.releases.keySecretName }}, defaultMode: 0440 }
        {{- with $root.Values.releases.archive.claimName }}
        - name: releases
          persistentVolumeClaim: { claimName: {{ . }} }
        {{- end }}
        {{- end }}
        {{- if $decides }}
        - name: decisions
          emptyDir: { sizeLimit: {{ add $root.Values.decisionLog.megabytes 8 }}Mi }
        {{- end }}
        {{- if $logsIn }}
        {{- include "driveaway.natsVolume" $nats | nindent 8 }}
        {{- end }}
      {{- end }}
      {{- include "driveaway.placement" (dict "root" $root "component" .name "pod" .values.pod) | nindent 6 }}
{{- end }}

{{- define "driveaway.apiService" -}}
apiVersion: v1
kind: Service
metadata:
  name: driveaway-{{ .name }}
  labels: {{- include "driveaway.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  selector: {{- include "driveaway.selector" (dict "root" .root "component" .name) | nindent 4 }}
  ports:
    - { name: http, port: 80, targetPort: http }
    - { name: health, port: 8090, targetPort: health }
{{- end }}

{{- define "driveaway.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: driveaway-{{ .name }}
  labels: {{- include "driveaway.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "driveaway.selector" (dict "root" .root "component" .name) | nindent 6 }}
{{- end }}
