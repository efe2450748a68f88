// Builds the skills with a report and the cache of earlier builds, for all commands. Callers write the digest module.

import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/lib/clock.ts'
import { PROGRESS_INTERVAL_MS } from '../lib/limits.ts'
import { throttled } from '../lib/paced.ts'
import type { BuildOutcome } from './build.ts'
import { hasFailed, makeBuild } from './build.ts'
import { openCache } from './cache.ts'
import { outcomeLines, skillTable, summaryLines } from './report.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The file of the cache, which all builds and pushes share. */
export const BUILD_CACHE = join(ROOT, 'dist/skills-cache.json')
export const DIGEST_MODULE = join(ROOT, 'src/skills/build-digest.ts')

export interface BuildOptions {
  /** Folders that contain skills at any depth. The first one is the project's own. */
  readonly dirs: readonly string[]
  /** The file of the cache, or null to use none. */
  readonly cacheFile: string | null
  readonly strict: boolean
  readonly notes?: boolean
  readonly table?: boolean
  readonly log: (line: string) => void
  /** Reports progress during a long build. */
  readonly reportProgress?: (line: string) => void
}

/** Builds the skills and prints a report with `log`. If `failed` is true, the command should exit with status 1. */
export async function buildSkills(
  options: BuildOptions,
): Promise<BuildOutcome & { readonly failed: boolean }> {
  const dirs = [...new Set(options.dirs.map((directory) => resolve(directory)))]
  const cache = await openCache(options.cacheFile, systemClock)
  const { reportProgress = () => {}, notes = false, table = false } = options
  const number = (count: number): string => count.toLocaleString('en-US')
  const onRead = throttled(PROGRESS_INTERVAL_MS, (done: number, all: number) =>
    reportProgress(`  ${number(done)} of ${number(all)} skills read`),
  )
  const outcome = await makeBuild(dirs, options.strict, cache, onRead)
  for (const line of table ? skillTable(outcome.skills) : []) options.log(line)
  for (const line of outcomeLines(outcome, process.cwd(), notes)) options.log(line)
  for (const line of summaryLines(outcome, process.cwd(), notes)) options.log(line)
  await cache.save()
  return { ...outcome, failed: hasFailed(outcome, options.strict) }
}
