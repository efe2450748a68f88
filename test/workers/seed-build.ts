// Puts a small build into KV and R2, as the build script does: the built-in skills of a test.

import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { manifestOf } from '../../src/skills/package/digest.ts'
import { indexEntry } from '../../src/skills/package/entry.ts'
import { indexObjects } from '../../src/skills/store/index-objects.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { IndexEntry, ToolEntry } from '../../src/skills/skill.ts'

export interface SeedSkill {
  readonly name: string
  readonly description?: string
  readonly body?: string
  /** Additional lines of frontmatter. */
  readonly fields?: Readonly<Record<string, string>>
  /** Files besides SKILL.md. */
  readonly files?: Readonly<Record<string, string>>
  readonly enabled?: boolean
}

type Stores = Pick<Cloudflare.Env, 'SKILLS' | 'RESOURCES'>

/**
 * Writes bodies, files, manifests and the index. Returns the build's digest (the index's address). `listed`: entries
 * that are in the index but have no files.
 */
export async function seedBuild(
  env: Stores,
  skills: readonly SeedSkill[],
  listed: readonly IndexEntry[] = [],
  tools: readonly ToolEntry[] = [],
): Promise<string> {
  const entries: IndexEntry[] = [...listed]
  for (const skill of skills) entries.push(await seedSkill(env, skill))
  const { address, objects } = await indexObjects({ format: 1, skills: entries, tools })
  for (const { sha256, bytes } of objects) {
    await env.RESOURCES.put(blobKey('build', sha256), bytes, { sha256 })
    await env.SKILLS.put(indexKey(sha256), bytes)
  }
  return address
}

/** The files of one skill. SKILL.md is generated from its name, description and body. */
export function skillFiles(skill: SeedSkill): Map<string, Uint8Array<ArrayBuffer>> {
  const description = skill.description ?? `Use for tests of ${skill.name}.`
  const fields = Object.entries({ name: skill.name, description, ...skill.fields })
  const header = fields.map(([field, value]) => `${field}: ${value}`).join('\n')
  const text = `---\n${header}\n---\n\n${skill.body ?? `Body of ${skill.name}.`}\n`
  const all = { 'SKILL.md': text, ...skill.files }
  return new Map(Object.entries(all).map(([path, content]) => [path, utf8(content)]))
}

async function seedSkill(env: Stores, skill: SeedSkill): Promise<IndexEntry> {
  const files = skillFiles(skill)
  const put = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const sha256 = await sha256Hex(bytes)
    await env.RESOURCES.put(blobKey('build', sha256), bytes, { sha256 })
    return sha256
  }
  const listed: { path: string; sha256: string }[] = []
  for (const [path, bytes] of files) listed.push({ path, sha256: await put(bytes) })
  const manifest = await manifestOf(listed)
  await put(utf8(manifest.text))
  const skillMd = files.get('SKILL.md') ?? new Uint8Array()
  const skillMdSha256 = await sha256Hex(skillMd)
  await env.SKILLS.put(bodyKey('build', skillMdSha256), skillMd)
  const parsed = parseSkill(skillMd, skill.name, 'lenient')
  if (!parsed.skill) throw new Error(`the seed skill ${skill.name} does not parse`)
  const entry = indexEntry({
    skill: parsed.skill,
    category: 'public',
    manifest,
    bytes: Array.from(files.values()).reduce((sum, bytes) => sum + bytes.byteLength, 0),
    findings: parsed.findings,
  })
  return { ...entry, enabled: skill.enabled ?? true }
}
