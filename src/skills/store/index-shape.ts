// The JSON shape of index entries: one table of fields for both reading and writing. Uses no schema library, because a
// cold isolate must parse ten thousand entries quickly before a run's first step.

import { isSha256 } from '../../lib/bytes.ts'
import type { Finding, IndexEntry, SuggestionCard, ToolEntry } from '../skill.ts'

/** Returns the value in its stored form, or undefined if it has the wrong type. */
type Reader<T> = (value: unknown) => T | undefined

const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
const sha: Reader<string> = (value) => (typeof value === 'string' && isSha256(value) ? value : undefined)
const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
const count: Reader<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const lineNumber: Reader<number> = (value) => count(value) || undefined

function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value))
}

/** Indexes of earlier versions lack the field. */
function orMissing<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null || value === undefined ? null : read(value))
}

function oneOf<T extends string>(...values: readonly T[]): Reader<T> {
  return (value) => values.find((candidate) => candidate === value)
}

function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const items: T[] = []
    for (const item of value) {
      const stored = read(item)
      if (stored === undefined) return undefined
      items.push(stored)
    }
    return items
  }
}

/** Reads an object. Its keys get the order of the table; unknown keys are dropped. */
function record<T extends object>(fields: { readonly [K in keyof T]-?: Reader<T[K]> }): Reader<T> {
  // The cast is safe: Object.entries loses the types of the table, which its declaration has checked.
  const table = Object.entries(fields) as readonly (readonly [string, Reader<unknown>])[]
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined
    const input = value as Readonly<Record<string, unknown>> // The cast is safe: every value is checked below.
    const result: Record<string, unknown> = {}
    for (const [key, read] of table) {
      const stored = read(input[key])
      if (stored === undefined) return undefined
      result[key] = stored
    }
    return result as T // The cast is safe: every field was read by its reader.
  }
}

/** A finding about SKILL.md itself, which cannot be accepted. */
const finding = record<Omit<Finding, 'accepted'>>({
  rule: text,
  severity: oneOf('error', 'warning', 'note'),
  file: text,
  line: orNull(lineNumber),
  message: text,
  fix: text,
})

/** An entry in its stored form, or undefined if the value is not one. */
export const readEntry: Reader<IndexEntry> = record<IndexEntry>({
  name: (value) => text(value) || undefined,
  description: text,
  category: oneOf('public', 'custom'),
  digest: sha,
  body: sha,
  license: orNull(text),
  tags: list(text),
  allowed_tools: orNull(list(text)),
  disallowed_tools: list(text),
  model_invocable: flag,
  user_invocable: flag,
  internal: flag,
  argument_hint: orNull(text),
  card: orMissing(
    record<SuggestionCard>({
      title: orNull(text),
      summary: orMissing(text),
      icon: orNull(text),
      examples: list(text),
    }),
  ),
  dependencies: list(text),
  version: orNull(text),
  changelog: orNull(text),
  search_terms: text,
  tokens: record<IndexEntry['tokens']>({ index: count, body: count }),
  files: count,
  bytes: count,
  enabled: flag,
  shareable: flag,
  shadows: flag,
  updated_at: orNull(text),
  diagnostics: list(finding),
})

/** A tool's definition, which src/tools/ parses. Here it only has to be an object. */
const object: Reader<ToolEntry['definition']> = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as ToolEntry['definition']) // The cast is safe: the value is a JSON object.
    : undefined

const toolFields = record<Omit<ToolEntry, 'approved' | 'details'>>({
  name: (value) => text(value) || undefined,
  digest: sha,
  definition: object,
  enabled: flag,
  source: oneOf('build', 'workspace'),
  updated_at: orNull(text),
})

const details = record<NonNullable<ToolEntry['details']>>({ sha256: sha, bytes: count })

/** A tool in its stored form, or undefined if the value is not one. */
export const readTool: Reader<ToolEntry> = (value) => {
  const entry = toolFields(value)
  if (!entry || typeof value !== 'object' || value === null) return undefined
  const approved = 'approved' in value ? object(value.approved) : null
  const where = 'details' in value ? details(value.details) : null
  if (approved === undefined || where === undefined) return undefined
  return { ...entry, ...(approved && { approved }), ...(where && { details: where }) }
}
