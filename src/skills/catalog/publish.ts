// Publishing one skill: check, write its bytes, then ask the catalog to flip. Runs in the Worker, holds no state.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { inParallel } from '../../lib/parallel.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { STORE_CONCURRENCY } from '../../limits.ts'
import type { Actor, CatalogApi } from './api.ts'
import type { ContentReader } from '../store/content-reader.ts'
import { manifestOf } from '../package/digest.ts'
import type { Manifest } from '../package/digest.ts'
import { indexEntry } from '../package/entry.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { blobKey, bodyKey } from '../store/keys.ts'
import { parseSkill } from '../format/parse.ts'
import type { Finding, IndexEntry, ManifestFile } from '../skill.ts'
import { skillFolder } from '../package/skill-folder.ts'
import type { FileMap, SkillFolder } from '../package/skill-folder.ts'
import { skillInfo } from './skill-info.ts'
import type { SkillInfo } from './skill-info.ts'
import type { SkillStores } from '../store/store.ts'

export interface PublishRequest {
  /** As sent: at the root or under one folder. */
  readonly files: FileMap
  readonly note: string | null
  readonly actor: Actor
  /** The build compiled into this Worker. */
  readonly build: string
  /** Digest that must be live under this name; else `stale_version`. */
  readonly expect?: string
  /** Validate and diff only. */
  readonly dryRun?: boolean
}

export interface PublishDeps {
  readonly workspace: string
  readonly stores: SkillStores
  readonly content: ContentReader
  readonly catalog: Pick<CatalogApi, 'live' | 'publish'>
}

/** Contract: Published. */
export interface Published {
  readonly skill: SkillInfo
  readonly created: boolean
  readonly catalog_version: number
  readonly findings: readonly Finding[]
  readonly diff: readonly FileDiff[]
}

interface Draft {
  readonly entry: IndexEntry
  readonly manifest: Manifest
  readonly files: FileMap
}

/**
 * Nothing is visible before every byte is written; a failure at any point leaves what was live.
 * Failures: `invalid_skill` (with `errors`, each `SKILL.md:line`), `too_large`, `stale_version`, `overloaded`,
 * `catalog_broken`.
 */
export async function publishFiles(request: PublishRequest, deps: PublishDeps): Promise<Result<Published>> {
  const folder = skillFolder(request.files)
  if (!folder.ok) return folder
  const drafted = await draft(folder.value)
  if (!drafted.ok) return drafted
  const { entry, manifest } = drafted.value
  const findings = entry.diagnostics
  const before = await deps.catalog.live(request.build)
  if (!before.ok) return before
  const standing = await liveFiles(entry.name, before.value.index, deps.content)
  const diff = diffFiles(standing?.files ?? [], manifest.files)
  if (request.dryRun === true) {
    const shadows = standing !== null && (standing.entry.category === 'public' || standing.entry.shadows)
    const skill = skillInfo({ ...entry, shadows })
    return ok({ skill, created: false, catalog_version: before.value.version, findings, diff })
  }
  const stored = await store(drafted.value, deps)
  if (!stored.ok) return stored
  const { build, note, actor, expect } = request
  const published = await deps.catalog.publish(build, entry, findings, note, actor, expect)
  if (!published.ok) return published
  const { created, catalog_version } = published.value
  return ok({ skill: skillInfo(published.value.entry), created, catalog_version, findings, diff })
}

async function draft({ files, folder, bytes }: SkillFolder): Promise<Result<Draft>> {
  const parsed = parseSkill(files.get(SKILL_FILE) ?? new Uint8Array(), folder, 'strict')
  if (!parsed.skill)
    return fail('invalid_skill', 'SKILL.md cannot be published as it is.', refusal(parsed.findings))
  const listed: ManifestFile[] = []
  for (const [path, content] of files) listed.push({ path, sha256: await sha256Hex(content) })
  const manifest = await manifestOf(listed)
  const entry = indexEntry({
    skill: parsed.skill,
    category: 'custom',
    digest: manifest.digest,
    skillMdSha256: listed.find((file) => file.path === SKILL_FILE)?.sha256 ?? '',
    files: files.size,
    bytes,
    findings: parsed.findings,
    enabled: true,
    updatedAt: null,
  })
  return ok({ entry, manifest, files })
}

function refusal(findings: readonly Finding[]): Pick<Failure, 'errors'> {
  const errors = findings
    .filter((finding) => finding.severity === 'error')
    .map(({ file, line, message, mend }) => ({
      path: line === null ? file : `${file}:${line}`,
      message: `${message} ${mend}`,
    }))
  return { errors }
}

/** What is live under a name, for comparison; null when nothing is, or when it cannot be read. */
async function liveFiles(
  name: string,
  index: string,
  content: ContentReader,
): Promise<{ readonly entry: IndexEntry; readonly files: readonly ManifestFile[] } | null> {
  const live = await content.index(index)
  const entry = live.ok ? live.value.skills.find((skill) => skill.name === name) : undefined
  if (!entry) return null
  // A version whose files are damaged must not stand in the way of the publish that mends it.
  const manifest = await content.manifest(entry)
  return { entry, files: manifest.ok ? manifest.value : [] }
}

/** R2 first, the file list after the files it names, KV last. */
async function store({ entry, manifest, files }: Draft, deps: PublishDeps): Promise<Result<null>> {
  const { blobs, bodies } = deps.stores
  const scope = { workspace: deps.workspace }
  const write = async (sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const key = blobKey(scope, sha256)
    if (!(await blobs.has(key, sha256))) await blobs.put(key, bytes, sha256)
  }
  const distinct = new Map(manifest.files.map((file) => [file.sha256, files.get(file.path)]))
  try {
    await inParallel(Array.from(distinct), STORE_CONCURRENCY, ([sha256, bytes]) =>
      bytes ? write(sha256, bytes) : Promise.resolve(),
    )
    await write(manifest.digest, utf8(manifest.text))
    const body = files.get(SKILL_FILE)
    if (body) await bodies.put(bodyKey(scope, entry.body), body)
    return ok(null)
  } catch {
    return fail('overloaded', 'The stores did not take the files; nothing has changed. Try again.', {
      retryAfterS: 2,
    })
  }
}
