// Reads one skill from its folder and creates its index entry. If the cache has no result, reads, hashes and parses the
// skill's files.

import { manifestOf, parseManifest } from '../../src/skills/package/digest.ts'
import { indexedFindings, indexEntry } from '../../src/skills/package/entry.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { sha256Of } from '../skill-folders/blob.ts'
import type { BuildCache, CachedSkill } from './cache.ts'
import type { FoundSkill } from '../skill-folders/find-packages.ts'
import type { ListedFile } from '../skill-folders/list-package.ts'
import { listPackage } from '../skill-folders/list-package.ts'
import { readPackage } from '../skill-folders/read-package.ts'

interface IndexedFile {
  readonly sha256: string
  readonly diskPath: string
  readonly size: number
}

/** A skill with its files. Its entry is enabled, and its diagnostics are the findings that fit into the index. */
export interface IndexedSkill extends CachedSkill {
  readonly files: readonly IndexedFile[]
}

/** Reads a skill and creates its index entry. Never rejects. */
export async function indexSkill(skill: FoundSkill, cache: BuildCache): Promise<IndexedSkill> {
  const { files: listed, findings: listFindings } = await listPackage(skill, 'lenient')
  const [skillMdFile] = listed
  if (!skillMdFile) return { entry: null, findings: listFindings, files: [], manifest: '' }
  const cached = cache.get(skillMdFile.diskPath, listed)
  if (cached) return withDiagnostics(cached, listFindings, filesOf(cached, listed))
  const { contents, findings } = readPackage(listed, 'lenient')
  const files = listed.flatMap(({ path, diskPath }) => {
    const bytes = contents.get(path)
    return bytes ? [{ path, diskPath, size: bytes.length, sha256: sha256Of(bytes) }] : []
  })
  const skillMd = contents.get(SKILL_FILE)
  const { skill: parsed, findings: bodyFindings } = skillMd
    ? parseSkill(skillMd, skill.folder, 'lenient')
    : { skill: null, findings: [] }
  const manifest = await manifestOf(files)
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0)
  const indexed = {
    manifest: manifest.text,
    entry:
      parsed && indexEntry({ skill: parsed, category: 'public', manifest, bytes: totalBytes, findings: [] }),
    findings: [...findings, ...bodyFindings],
  }
  if (files.length === listed.length) cache.put(skillMdFile.diskPath, listed, indexed)
  return withDiagnostics(indexed, listFindings, files)
}

function withDiagnostics(
  indexed: CachedSkill,
  listFindings: readonly Finding[],
  files: readonly IndexedFile[],
): IndexedSkill {
  const findings = [...listFindings, ...indexed.findings]
  const { entry, manifest } = indexed
  return { entry: entry && { ...entry, diagnostics: indexedFindings(findings) }, findings, files, manifest }
}

function filesOf({ manifest }: CachedSkill, listed: readonly ListedFile[]): IndexedFile[] {
  const hashes = new Map(parseManifest(manifest)?.map(({ path, sha256 }) => [path, sha256]))
  return listed.map(({ path, diskPath, size }) => ({ diskPath, size, sha256: hashes.get(path) ?? '' }))
}
