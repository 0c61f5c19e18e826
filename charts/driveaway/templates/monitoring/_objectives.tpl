{{/*
The burn rate of each error budget: at 1, exactly the budget is spent over its 30 days.
Call with (dict "root" $ "in" the matcher of the namespace).
*/}}
{{- define "driveaway.objectives" -}}
{{- $objectives := .root.Values.monitoring.alerts.objectives }}
{{- $bad := dict }}
{{- $all := dict }}
{{- $spent := dict }}
{{- range $api, $operator := dict "pricing" "!~" "inventory" "=~" }}
{{- if or (eq $api "pricing") $.root.Values.inventory.enabled }}
{{- $of := printf "%s, operation%s\"createBatch|getJob\"" $.in $operator }}
{{- $name := printf "%s-answers" $api }}
{{- $_ := set $all $name (printf "driveaway_requests_total{%s}" $of) }}
{{- $_ = set $bad $name (printf "driveaway_requests_total{%s, status=~\"5..\"}" $of) }}
{{- $_ = set $spent $name (subf 100 $objectives.answeredPercent) }}
{{- end }}
{{- end }}
{{- $quotes := printf "{%s, operation=\"createQuote\"" $.in }}
{{- $_ := set $all "quotes-in-time" (printf "driveaway_request_duration_seconds_count%s}" $quotes) }}
{{- /* Prometheus 3 writes the bound 1 as 1.0. */}}
{{- $_ = set $bad "quotes-in-time" (printf "driveaway_request_duration_seconds_bucket%s, le=~\"%s(\\\\.0)?\"}" $quotes (toString $objectives.quoteSeconds)) }}
{{- $_ = set $spent "quotes-in-time" (subf 100 $objectives.inTimePercent) }}
- name: driveaway-objectives
  rules:
    {{- range $objective, $every := $all }}
    {{- $counted := get $bad $objective }}
    {{- range $window := list "5m" "30m" "1h" "2h" "6h" "1d" "3d" }}
    {{- $total := printf "sum by (namespace) (increase(%s[%s]))" $every $window }}
    {{- $missed := printf "sum by (namespace) (increase(%s[%s]))" $counted $window }}
    {{- if eq $objective "quotes-in-time" }}{{ $missed = printf "(%s - %s)" $total $missed }}{{ end }}
    {{- if eq $window "1h" }}
    - record: driveaway:objective_missed:increase1h
      expr: {{ $missed }}
      labels: { objective: {{ $objective }} }
    {{- end }}
    - record: driveaway:budget_burn:rate{{ $window }}
      expr: {{ $missed }} / {{ $total }} / {{ divf (get $spent $objective) 100 }}
      labels: { objective: {{ $objective }} }
    {{- end }}
    {{- end }}
    - alert: DriveawayErrorBudgetBurns
      # A burn of 14.4 spends 2% of the budget in an hour, a burn of 6 spends 5% in six hours; the short window
      # ends the alert soon after its cause. Without the lower bound, one failed request in a quiet night would
      # page somebody.
      expr: >-
        ((driveaway:budget_burn:rate1h{ {{- .in -}} } > 14.4 and driveaway:budget_burn:rate5m{ {{- .in -}} } > 14.4)
        or (driveaway:budget_burn:rate6h{ {{- .in -}} } > 6 and driveaway:budget_burn:rate30m{ {{- .in -}} } > 6))
        and driveaway:objective_missed:increase1h{ {{- .in -}} } >= 10
      for: 2m
      labels: { severity: critical }
      annotations:
        summary: {{ `"The error budget of {{ $labels.objective }} is being spent fast"` }}
        description: "At this rate the budget of a month is spent within five days. Clients see failures, or wait."
        runbook_url: {{ include "driveaway.runbook" (dict "root" $.root "alert" "DriveawayErrorBudgetBurns") }}
    - alert: DriveawayErrorBudgetLeaks
      expr: >-
        (driveaway:budget_burn:rate1d{ {{- .in -}} } > 3 and driveaway:budget_burn:rate2h{ {{- .in -}} } > 3)
        or (driveaway:budget_burn:rate3d{ {{- .in -}} } > 1 and driveaway:budget_burn:rate6h{ {{- .in -}} } > 1)
      for: 1h
      labels: { severity: warning }
      annotations:
        summary: {{ `"The error budget of {{ $labels.objective }} will not last the month"` }}
        description: "Too many requests have failed or were slow for days. This is not urgent; find the cause this week."
        runbook_url: {{ include "driveaway.runbook" (dict "root" $.root "alert" "DriveawayErrorBudgetLeaks") }}
{{- end }}
