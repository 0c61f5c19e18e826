{{/* Who opens the embedded NATS: the programs, a backup, and whoever looks after the server. */}}
{{- define "driveaway.natsUsers" -}}
{{- $users := list "inventory" "worker" "backup" "admin" -}}
{{- if include "driveaway.notices" . }}{{ $users = append $users "operator" }}{{ end -}}
{{- if include "driveaway.decisionsByNats" . }}{{ $users = append $users "pricing" }}{{ end -}}
{{- toJson $users -}}
{{- end }}

{{/* The variable of nats-server with the password of a user. */}}
{{- define "driveaway.natsPasswordVariable" -}}
PASSWORD_OF_{{ upper . }}
{{- end }}

{{/* What a program may do, in the words of nats-server; files/nats-rights.yaml has it in ours. */}}
{{- define "driveaway.natsPermissions" -}}
{{- $publish := concat (list "$JS.API.INFO") .publishes -}}
{{- range .makes }}
{{- $publish = concat $publish (list (printf "$JS.API.STREAM.INFO.%s" .) (printf "$JS.API.STREAM.CREATE.%s" .)) -}}
{{- end }}
{{- range .changes }}
{{- $publish = append $publish (printf "$JS.API.STREAM.UPDATE.%s" .) -}}
{{- end }}
{{- range .reads }}
{{- $publish = append $publish (printf "$JS.API.STREAM.MSG.GET.%s" .) -}}
{{- end }}
{{- range $stream := .consumes }}
{{- range list "CREATE" "INFO" "DELETE" "PAUSE" "MSG.NEXT" }}
{{- $publish = append $publish (printf "$JS.API.CONSUMER.%s.%s.>" . $stream) -}}
{{- end }}
{{- $publish = concat $publish (list (printf "$JS.ACK.%s.>" $stream) (printf "$JS.ACK.*.*.%s.>" $stream)) -}}
{{- end }}
{{- $subscribe := concat .listens (default list .answers) -}}
{{- range .inboxes }}
{{- $subscribe = append $subscribe (printf "_INBOX.%s.>" .) -}}
{{- end }}
{{- range $what, $subjects := dict "publish" $publish "subscribe" $subscribe }}
{{ $what }}: {
  allow: [
    {{- range $subjects }}
    {{ quote . }}
    {{- end }}
  ]
}
{{- end }}
{{- if .answers }}
allow_responses: { max: 1, expires: "1m" }
{{- end }}
{{- end }}
