// Compares two versions of a skill, file by file, with as many unified diffs as fit in one response.

import { ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Pace } from '../../lib/steps.ts'
import { DIFF_WORK_MAX_UNITS } from '../../limits/skills.ts'
import { DIFF_RESPONSE_MAX_BYTES, DIFF_FILES_MAX } from './limits.ts'
import { diffFiles } from '../package/file-diff.ts'
import type { FileDiff } from '../package/file-diff.ts'
import type { ContentReader } from '../store/content-reader.ts'
import type { IndexEntry } from '../skill.ts'
import type { VersionPair } from './versions-read.ts'

interface FileChange {
  readonly path: string
  readonly change: FileDiff['change']
  /** Null if there is no diff, for the reason in `reason`. */
  readonly diff: string | null
  readonly reason: string | null
}

export interface VersionDiff {
  readonly from: string | null
  readonly to: string
  /** The added, removed and changed files, sorted by path. */
  readonly files: readonly FileChange[]
}

const OVER_RESPONSE_LIMIT =
  'it exceeds the size limit of one response; read both versions of the file instead'

/** Compares two versions, pausing between files. Failure: `catalog_broken` if a file cannot be read. */
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
  let remainingBytes = DIFF_RESPONSE_MAX_BYTES
  const budget = { remainingUs: DIFF_WORK_MAX_UNITS }
  const { unifiedDiff } = await import('../package/unified-diff.ts')
  for (const file of diffFiles(before.value, after.value)) {
    if (file.change === 'same') continue
    const { path, change } = file
    if (files.length >= DIFF_FILES_MAX || remainingBytes <= 0) {
      files.push({ path, change, diff: null, reason: OVER_RESPONSE_LIMIT })
      continue
    }
    const oldBytes = await bytesOf(from, file.before, content)
    if (!oldBytes.ok) return oldBytes
    const newBytes = await bytesOf(to, file.after, content)
    if (!newBytes.ok) return newBytes
    const budgetBefore = budget.remainingUs
    const patch = unifiedDiff(path, oldBytes.value, newBytes.value, budget)
    const pause = pace.countWork(budgetBefore - budget.remainingUs)
    if (pause) await pause
    remainingBytes -= patch.diff?.length ?? 0
    files.push(
      remainingBytes < 0
        ? { path, change, diff: null, reason: OVER_RESPONSE_LIMIT }
        : { path, change, ...patch },
    )
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

/** The comparison as one text, which people can read and `patch` can apply. */
export function patchText({ files }: VersionDiff): string {
  return files
    .map(({ path, diff, reason }) => diff ?? `Files a/${path} and b/${path} differ (${reason})\n`)
    .join('')
}
