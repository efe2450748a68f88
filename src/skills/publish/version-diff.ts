// Compares two versions of a skill, file by file, with unified diffs as far as they fit in one answer.

import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { DIFF_WORK_MAX } from '../../limits/skills.ts'
import { DIFF_ANSWER_MAX_BYTES, DIFF_FILES_MAX } from './limits.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import { unifiedDiff } from '../package/unified-diff.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { IndexEntry } from '../skill.ts'
import type { VersionPair } from './versions-read.ts'

interface FileChange {
  readonly path: string
  readonly change: FileDiff['change']
  /** Null: see `reason`. */
  readonly diff: string | null
  readonly reason: string | null
}

export interface VersionDiff {
  readonly from: string | null
  readonly to: string
  /** Added, removed and changed paths, sorted. */
  readonly files: readonly FileChange[]
}

const ENOUGH = 'it exceeds the limit of one answer; read both versions of the file'

/** Pauses between files, which share one budget of work. Failure: `catalog_broken` when a file cannot be read. */
export async function diffVersions(
  { from, to }: VersionPair,
  content: Pick<ContentReader, 'manifest' | 'file'>,
  pace: Pace,
): Promise<Result<VersionDiff>> {
  const before = from ? await content.manifest(from) : ok([])
  if (!before.ok) return before
  const after = await content.manifest(to)
  if (!after.ok) return after
  const files: FileChange[] = []
  let room = DIFF_ANSWER_MAX_BYTES
  const budget = { left: DIFF_WORK_MAX }
  for (const file of diffFiles(before.value, after.value)) {
    if (file.change === 'same') continue
    const { path, change } = file
    if (files.length >= DIFF_FILES_MAX || room <= 0) {
      files.push({ path, change, diff: null, reason: ENOUGH })
      continue
    }
    const was = await bytesOf(from, file.before, content)
    if (!was.ok) return was
    const is = await bytesOf(to, file.after, content)
    if (!is.ok) return is
    const had = budget.left
    const patch = unifiedDiff(path, was.value, is.value, budget)
    const rest = pace.did(had - budget.left)
    if (rest) await rest
    room -= patch.diff?.length ?? 0
    files.push(room < 0 ? { path, change, diff: null, reason: ENOUGH } : { path, change, ...patch })
  }
  return ok({ from: from?.digest ?? null, to: to.digest, files })
}

async function bytesOf(
  version: IndexEntry | null,
  sha256: string | null,
  content: Pick<ContentReader, 'file'>,
): Promise<Result<Uint8Array<ArrayBuffer> | null>> {
  return version && sha256 !== null ? content.file(version, sha256) : ok(null)
}

/** The same as one text for `patch` and for people. */
export function patchText({ files }: VersionDiff): string {
  return files
    .map(({ path, diff, reason }) => diff ?? `Files a/${path} and b/${path} differ (${reason})\n`)
    .join('')
}
