// `npm run skills:build`: bundles folders of skills into a build, prints what it found, and writes the build's digest into
// the module that is compiled into the Worker.

import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/lib/clock.ts'
import type { BuildOutcome } from './build/build.ts'
import { hasFailed, makeBuild } from './build/build.ts'
import { openCache } from './build/cache.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { outcomeLines, skillTable, summaryLines } from './build/report.ts'
import { command, complain } from './lib/command.ts'
import { missingFolder } from './lib/folders.ts'
import { paced } from './lib/paced.ts'
import { PROGRESS_MS } from './limits.ts'

const USAGE = `npm run skills:build -- [options]

  --skills DIR   one more folder of skills beside skills/ (repeatable)
  --strict       judge every skill as for publishing; any error fails
  --no-module    leave src/skills/build-digest.ts as it is
  --notes        print notes too, not only errors and warnings
  --table        print a table, a row for each skill: sizes, and tokens in the index (level 1) and of the body (level 2)
  --help         this text

Status 1: an error in skills/ itself, or with --strict in any skill. Status 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What the last build learnt; a push and a build of the same folders read it in turn. */
export const BUILD_CACHE = join(ROOT, 'dist/skills-cache.json')
export const DIGEST_MODULE = join(ROOT, 'src/skills/build-digest.ts')

export interface BuildOptions {
  /** Folders that hold skills at any depth; the first is the project's own. */
  readonly dirs: readonly string[]
  /** What earlier builds learnt is kept there; null: nowhere. */
  readonly cacheFile: string | null
  readonly strict: boolean
  readonly notes?: boolean
  readonly table?: boolean
  readonly log: (line: string) => void
  /** How far it is, now and then while it takes long. */
  readonly tell?: (line: string) => void
}

/** Builds and reports line by line to `log`. `failed`: the command should end with status 1. */
export async function buildSkills(
  options: BuildOptions,
): Promise<BuildOutcome & { readonly failed: boolean }> {
  const dirs = [...new Set(options.dirs.map((directory) => resolve(directory)))]
  const cache = await openCache(options.cacheFile, systemClock)
  const { tell = () => {}, notes = false, table = false } = options
  const number = (count: number): string => count.toLocaleString('en-US')
  const read = paced(PROGRESS_MS, (done: number, all: number) =>
    tell(`  ${number(done)} of ${number(all)} skills read`),
  )
  const outcome = await makeBuild(dirs, options.strict, cache, read)
  for (const line of table ? skillTable(outcome.skills) : []) options.log(line)
  for (const line of outcomeLines(outcome, process.cwd(), notes)) options.log(line)
  for (const line of summaryLines(outcome, process.cwd(), notes)) options.log(line)
  await cache.save()
  return { ...outcome, failed: hasFailed(outcome, options.strict) }
}

if (import.meta.main)
  command(
    USAGE,
    {
      options: {
        skills: { type: 'string', multiple: true, default: [] },
        strict: { type: 'boolean', default: false },
        'no-module': { type: 'boolean', default: false },
        notes: { type: 'boolean', default: false },
        table: { type: 'boolean', default: false },
      },
    },
    async ({ values: flags }) => {
      const missing = missingFolder(flags.skills)
      if (missing !== null) return missing
      const { build, failed } = await buildSkills({
        dirs: [join(ROOT, 'skills'), ...flags.skills],
        cacheFile: BUILD_CACHE,
        strict: flags.strict,
        notes: flags.notes,
        table: flags.table,
        log: (line) => console.log(line),
        tell: (line) => console.error(line),
      })
      if (!flags['no-module']) await writeDigestModule(build.digest, DIGEST_MODULE)
      if (failed) complain(`There are errors ${flags.strict ? '' : 'in skills/ '}(above).`)
      return failed ? 1 : 0
    },
  )
