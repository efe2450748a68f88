// Finds the fields that an action changed, in a form that is small and contains no secrets. Pure.

import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { redact } from '../../lib/redact.ts'
import type { ActionOutcome } from '../../workspace/audit-api.ts'
import { AUDIT_VALUE_MAX_CHARS } from './limits.ts'

type Fields = Readonly<Record<string, unknown>>

/** Null if something did not exist. A field that is absent on one side counts as null there. */
export async function changedFields(
  before: Fields | null,
  after: Fields | null,
): Promise<Pick<ActionOutcome, 'before' | 'after'>> {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter(
    (name) => canonicalJson(before?.[name] ?? null) !== canonicalJson(after?.[name] ?? null),
  )
  if (changed.length === 0) return { before: null, after: null }
  return { before: before && (await shown(before, changed)), after: after && (await shown(after, changed)) }
}

async function shown(fields: Fields, names: readonly string[]): Promise<Fields> {
  const entries = names.map(async (name) => [name, await shownValue(fields[name] ?? null)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** A long value, such as a message template, is replaced by its SHA-256. */
async function shownValue(value: unknown): Promise<unknown> {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? redact(inner) : inner,
  )
  if (text.length <= AUDIT_VALUE_MAX_CHARS) return JSON.parse(text)
  return `sha256:${await sha256Hex(canonicalJson(value))}`
}
