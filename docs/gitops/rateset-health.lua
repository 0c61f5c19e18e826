-- Argo CD: resource.customizations.health.rates.driveaway.dev_RateSet (and _ShowroomClient, which has the same conditions).
-- Healthy means published and served by every API process; a set that was refused is Degraded, one that waits for an
-- attestation or an import is Progressing, and the message says why.
local health = { status = "Progressing", message = "Waiting for the operator" }
local status = obj.status
if status == nil or status.conditions == nil or status.observedGeneration ~= obj.metadata.generation then
  return health
end
local condition = {}
for _, each in ipairs(status.conditions) do
  condition[each.type] = each
end
local function is(name, value)
  return condition[name] ~= nil and condition[name].status == value
end
if is("Stalled", "True") then
  return { status = "Degraded", message = condition.Stalled.message }
end
if is("Reconciling", "True") then
  return { status = "Progressing", message = condition.Reconciling.message }
end
if is("Ready", "False") then
  return { status = "Degraded", message = condition.Ready.message }
end
if is("Ready", "True") then
  return { status = "Healthy", message = condition.Ready.message }
end
return health
