// Reads the index of a site: 0.2.0 entry by entry, 0.1.0 as a whole. Fetches nothing, trusts nothing it says of sizes.

import { err, ok, type Result } from '../../src/lib/result.ts'
import { SKILL_DESCRIPTION_MAX } from '../../src/limits.ts'
import { quoted } from '../../src/skills/format/finding.ts'

export type SiteEntry = { readonly name: string; readonly description: string } & (
  | { readonly type: 'skill-md' | 'archive'; readonly url: string; readonly digest: string }
  /** `url` ends in `/`: the folder of the skill. */
  | { readonly type: 'files'; readonly url: string; readonly files: readonly string[] }
)

export interface SiteIndex {
  readonly entries: readonly SiteEntry[]
  /** Entries that are left out, in sentences. */
  readonly problems: readonly string[]
}

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** @param address where the index came from in the end: relative addresses in it start there */
export function readIndex(text: string, address: string): Result<SiteIndex, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err('It is no JSON.')
  }
  const skills = field(json, 'skills')
  if (!Array.isArray(skills)) return err('It has no list of skills.')
  const schema = field(json, '$schema')
  if (schema !== undefined && schema !== SCHEMA)
    return err(`It follows ${quoted(JSON.stringify(schema))}, which is not known here; ${SCHEMA} is.`)
  const read = skills.map((entry) =>
    schema === undefined ? oldEntry(entry, address) : newEntry(entry, address),
  )
  const entries: SiteEntry[] = []
  const problems: string[] = []
  for (const one of read)
    if (!one.ok) problems.push(one.error)
    else if (entries.some(({ name }) => name === one.value.name))
      problems.push(`${quoted(one.value.name)} is listed twice; the first one counts.`)
    else entries.push(one.value)
  return ok({ entries, problems })
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function texts(entry: unknown): Result<{ readonly name: string; readonly description: string }, string> {
  const [name, description] = [field(entry, 'name'), field(entry, 'description')]
  if (typeof name !== 'string' || name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    return err(`An entry is left out: ${quoted(JSON.stringify(name) ?? 'undefined')} is no name of a skill.`)
  if (
    typeof description !== 'string' ||
    description.trim() === '' ||
    description.length > SKILL_DESCRIPTION_MAX
  )
    return err(`${quoted(name)} is left out: its description is missing or too long.`)
  return ok({ name, description })
}

function newEntry(entry: unknown, base: string): Result<SiteEntry, string> {
  const said = texts(entry)
  if (!said.ok) return said
  const [type, url, digest] = [field(entry, 'type'), field(entry, 'url'), field(entry, 'digest')]
  const name = quoted(said.value.name)
  if (type !== 'skill-md' && type !== 'archive')
    return err(
      `${name} is left out: its type ${quoted(JSON.stringify(type) ?? 'undefined')} is not known here.`,
    )
  if (typeof url !== 'string' || !URL.canParse(url, base))
    return err(`${name} is left out: its address is none.`)
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    return err(`${name} is left out: it has no digest (sha256:…).`)
  return ok({ ...said.value, type, url: new URL(url, base).href, digest })
}

function oldEntry(entry: unknown, base: string): Result<SiteEntry, string> {
  const said = texts(entry)
  if (!said.ok) return said
  const files: unknown = field(entry, 'files')
  const name = quoted(said.value.name)
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string'))
    return err(`${name} is left out: it lists no files.`)
  if (!files.includes('SKILL.md')) return err(`${name} is left out: SKILL.md is not among its files.`)
  return ok({ ...said.value, type: 'files', url: new URL(`${said.value.name}/`, base).href, files })
}
