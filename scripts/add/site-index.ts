// Parses the index of a site (discovery 0.2.0), and skips invalid entries. Fetches nothing.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { SKILL_DESCRIPTION_MAX_CHARS } from '../../src/limits/skills.ts'
import { quoted } from '../../src/skills/format/finding.ts'
import { isListableName } from '../../src/skills/package/sharing.ts'

const Entry = z.object({
  name: z.string().refine(isListableName, 'is not a valid skill name'),
  description: z.string().max(SKILL_DESCRIPTION_MAX_CHARS).regex(/\S/, 'is missing'),
  type: z.enum(['skill-md', 'archive']),
  url: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'is not sha256: followed by 64 hexadecimal digits'),
})
export type SiteEntry = Readonly<z.infer<typeof Entry>>

export interface SiteIndex {
  readonly entries: readonly SiteEntry[]
  /** One sentence for each entry that was skipped. */
  readonly problems: readonly string[]
}

const Index = z.object({ $schema: z.unknown().optional(), skills: z.array(z.unknown()) })

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** @param address the final address of the index, to which its addresses are relative */
export function readSiteIndex(text: string, address: string): Result<SiteIndex, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err('It is not valid JSON.')
  }
  const index = Index.safeParse(json)
  if (!index.success) return err('It has no list of skills.')
  const { $schema: schema, skills } = index.data
  if (schema !== SCHEMA)
    return err(`Its $schema is ${quoted(JSON.stringify(schema) ?? 'missing')}; only ${SCHEMA} is supported.`)
  const entries: SiteEntry[] = []
  const problems: string[] = []
  for (const entry of skills.map((skill) => readEntry(skill, address)))
    if (!entry.ok) problems.push(entry.error)
    else if (entries.some(({ name }) => name === entry.value.name))
      problems.push(`${quoted(entry.value.name)} is listed twice; the first entry is used.`)
    else entries.push(entry.value)
  return ok({ entries, problems })
}

function readEntry(entry: unknown, base: string): Result<SiteEntry, string> {
  const parsed = Entry.safeParse(entry)
  const prefix = `The entry ${quoted(JSON.stringify(entry).slice(0, 200))} was skipped`
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return err(`${prefix}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'cannot be read'}.`)
  }
  const { url } = parsed.data
  return URL.canParse(url, base)
    ? ok({ ...parsed.data, url: new URL(url, base).href })
    : err(`${prefix}: its url is not a valid address.`)
}
