// The one JSON text of an index: equal content gives equal bytes, so its sha-256 can be its address.

import { z } from 'zod'
import type { Finding, IndexEntry, SkillIndex } from '../skill.ts'

const Sha = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().nonnegative()

// The order of keys here is the order of keys in the text. Unknown keys of a newer writer are passed over.
const FindingShape = z.object({
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  file: z.string(),
  line: z.int().positive().nullable(),
  message: z.string(),
  mend: z.string(),
}) satisfies z.ZodType<Finding>

const EntryShape = z.object({
  name: z.string().min(1),
  description: z.string(),
  category: z.enum(['public', 'custom']),
  digest: Sha,
  body: Sha,
  license: z.string().nullable(),
  tags: z.array(z.string()),
  allowed_tools: z.array(z.string()).nullable(),
  disallowed_tools: z.array(z.string()),
  model_invocable: z.boolean(),
  user_invocable: z.boolean(),
  argument_hint: z.string().nullable(),
  dependencies: z.array(z.string()),
  version: z.string().nullable(),
  changelog: z.string().nullable(),
  words: z.string(),
  tokens: z.object({ index: Count, body: Count }),
  files: Count,
  bytes: Count,
  enabled: z.boolean(),
  shareable: z.boolean(),
  shadows: z.boolean(),
  updated_at: z.string().nullable(),
  diagnostics: z.array(FindingShape),
}) satisfies z.ZodType<IndexEntry>

const IndexShape = z.object({
  format: z.literal(1),
  skills: z.array(EntryShape),
}) satisfies z.ZodType<SkillIndex>

/** The JSON text of an index: sorted by name (code units), keys in a fixed order, no spaces. Names are distinct. */
export function indexText(index: SkillIndex): string {
  const skills = index.skills.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  // zod writes its keys in the order of the shape, whatever the order in the input.
  return JSON.stringify(IndexShape.parse({ format: 1, skills }))
}

/** The index of a text, or null when it is not one: wrong shape, unknown format, unsorted or doubled names. */
export function parseIndex(text: string): SkillIndex | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const parsed = IndexShape.safeParse(json)
  if (!parsed.success) return null
  const sorted = parsed.data.skills.every(
    (entry, at, all) => at === 0 || (all[at - 1]?.name ?? '') < entry.name,
  )
  return sorted ? parsed.data : null
}
