// One skill from its folder to its index entry: listed, then taken from the cache or read, hashed and parsed.

import { manifestOf } from '../../src/skills/package/digest.ts'
import { indexEntry } from '../../src/skills/package/entry.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { Finding, IndexEntry } from '../../src/skills/skill.ts'
import { sha256Of } from './blob.ts'
import type { BuildCache, Learnt } from './cache.ts'
import type { SkillFolder } from './find-packages.ts'
import type { ListedFile } from './list-package.ts'
import { listPackage } from './list-package.ts'
import type { PackageFile } from './read-package.ts'
import { readPackage } from './read-package.ts'

export interface LearntSkill {
  /** Enabled, with its findings as diagnostics; null when it cannot be loaded. */
  readonly entry: IndexEntry | null
  /** Of loading; when strict those of publishing instead. */
  readonly findings: readonly Finding[]
  readonly files: readonly PackageFile[]
  readonly manifest: string
}

/** `cache` is not asked when strict: what it holds was learnt by loading. Never rejects. */
export async function learnSkill(
  skill: SkillFolder,
  strict: boolean,
  cache: BuildCache,
): Promise<LearntSkill> {
  const { files: listed, findings: loading } = await listPackage(skill, 'lenient')
  const notes = strict ? (await listPackage(skill, 'strict')).findings : loading
  if (!listed[0]) return { entry: null, findings: notes, files: [], manifest: '' }
  const key = listed[0].disk
  const known = strict ? null : cache.get(key, listed)
  if (known) return finished(known, loading, filesOf(known, listed))
  const { files, main, findings } = await readPackage(listed)
  const learnt = await learn(skill, files, main, findings)
  if (strict && main) {
    const { findings: judged } = parseSkill(main, skill.folder, 'strict')
    return { ...finished(learnt, loading, files), findings: [...notes, ...findings, ...judged] }
  }
  if (files.length === listed.length) cache.put(key, listed, learnt)
  return finished(learnt, loading, files)
}

async function learn(
  skill: SkillFolder,
  files: readonly PackageFile[],
  main: Uint8Array<ArrayBuffer> | null,
  findings: readonly Finding[],
): Promise<Learnt> {
  const first = files[0]
  const parsed = main && parseSkill(main, skill.folder, 'lenient')
  const said = [...findings, ...(parsed?.findings ?? [])]
  const hashes = files.map(({ path, sha256 }) => ({ path, sha256 }))
  if (!first || !parsed?.skill) return { hashes, manifest: '', entry: null, findings: said }
  const manifest = await manifestOf(files, async (text) => sha256Of(text))
  const entry = indexEntry({
    skill: parsed.skill,
    category: 'public',
    digest: manifest.digest,
    skillMdSha256: first.sha256,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.size, 0),
    findings: [],
    enabled: true,
    updatedAt: null,
  })
  return { hashes, manifest: manifest.text, entry, findings: said }
}

function finished(learnt: Learnt, notes: readonly Finding[], files: readonly PackageFile[]): LearntSkill {
  const findings = [...notes, ...learnt.findings]
  const { entry, manifest } = learnt
  return entry
    ? { entry: { ...entry, diagnostics: findings }, findings, files, manifest }
    : { entry, findings, files: [], manifest: '' }
}

function filesOf(learnt: Learnt, listed: readonly ListedFile[]): PackageFile[] {
  const hashes = new Map(learnt.hashes.map(({ path, sha256 }) => [path, sha256]))
  return listed.map(({ path, disk, size }) => ({ path, disk, size, sha256: hashes.get(path) ?? '' }))
}
