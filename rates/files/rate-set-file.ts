import { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { OBJECT_NAME } from '../checks/fault.ts'
import { rateSetName } from '../published/financial-year.ts'
import { parseDocument, type StrictDocument } from './document.ts'
import type { LocatedFault, Position } from './located.ts'
import { findUnquoted } from './unquoted.ts'

/** One rate set in a file; `faults` has the faults of the YAML, not yet those of the content. */
export interface RateSetFile {
  file: string
  /** `metadata.name`; empty when absent. */
  name: string
  /** The spec as written, not yet checked; undefined when the file cannot be parsed as one document. */
  spec: unknown
  faults: LocatedFault[]
  locate: (path: string) => Position
}

export const API_VERSION = 'rates.driveaway.dev/v1alpha1'
export const KIND = 'RateSet'

const ENVELOPE = ['apiVersion', 'kind', 'metadata', 'spec']
const METADATA = ['name', 'namespace', 'labels', 'annotations']
const FILE_SCHEMA = { type: 'object', properties: { spec: RateSetSpec } }

/** Parses one rate set file; never throws, every fault is in `faults`. */
export function parse(text: string, file: string): RateSetFile {
  const document = parseDocument(text, file)
  const { value } = document
  const faults = [...document.faults, ...(value === undefined ? [] : envelopeFaults(document))]
  if (value !== undefined) faults.push(...findUnquoted(document, FILE_SCHEMA))
  const top = isRecord(value) ? value : {}
  const name = isRecord(top.metadata) && typeof top.metadata.name === 'string' ? top.metadata.name : ''
  return { file, name, spec: top.spec, faults, locate: document.locate }
}

function envelopeFaults(document: StrictDocument): LocatedFault[] {
  const found = (check: string, path: string, message: string): LocatedFault => ({
    check,
    path,
    message,
    file: document.file,
    ...document.locate(path),
  })
  const { value } = document
  if (!isRecord(value)) return [found('envelope', '', `expected a ${KIND} with ${ENVELOPE.join(', ')}`)]
  const metadata = isRecord(value.metadata) ? value.metadata : {}
  return [
    ...unknownKeys(value, ENVELOPE).map((key) =>
      found('unknown-key', key, `unknown key; expected ${ENVELOPE.join(', ')}`),
    ),
    ...unknownKeys(metadata, METADATA).map((key) =>
      found('unknown-key', `metadata.${key}`, `unknown key; expected ${METADATA.join(', ')}`),
    ),
    ...(value.apiVersion === API_VERSION ? [] : [found('envelope', 'apiVersion', `expected ${API_VERSION}`)]),
    ...(value.kind === KIND ? [] : [found('envelope', 'kind', `expected ${KIND}`)]),
    ...nameFaults(metadata.name, value.spec).map((message) => found(OBJECT_NAME, 'metadata.name', message)),
  ]
}

function nameFaults(name: unknown, spec: unknown): string[] {
  if (!isRecord(spec) || typeof spec.pricingCode !== 'string' || typeof spec.financialYear !== 'string') return []
  const expected = rateSetName(spec.pricingCode, spec.financialYear)
  return name === expected ? [] : [`${JSON.stringify(name)} is not <pricing-code>-fy<yy>: expected ${expected}`]
}

const unknownKeys = (value: object, known: string[]) => Object.keys(value).filter((key) => !known.includes(key))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
