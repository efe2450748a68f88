// `npm run skills:build`: bundles folders of skills into a build, prints what it found, and writes the build's digest into
// the module that is compiled into the Worker.

import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/lib/clock.ts'
import type { BuildOutcome } from './build/build.ts'
import { hasFailed, makeBuild } from './build/build.ts'
import { openCache } from './build/cache.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { outcomeLines, skillTable, summaryLine } from './build/report.ts'
import { command } from './lib/command.ts'

const USAGE = `npm run skills:build -- [options]

  --skills DIR   one more folder of skills beside skills/ (repeatable)
  --strict       judge every skill as for publishing; any error fails
  --no-module    leave src/skills/build-digest.ts as it is
  --notes        print notes too, not only errors and warnings
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
  readonly log: (line: string) => void
}

/** Builds and reports line by line to `log`. `failed`: the command should end with status 1. */
export async function buildSkills(
  options: BuildOptions,
): Promise<BuildOutcome & { readonly failed: boolean }> {
  const dirs = [...new Set(options.dirs.map((directory) => resolve(directory)))]
  const cache = await openCache(options.cacheFile, systemClock)
  const outcome = await makeBuild(dirs, options.strict, cache)
  for (const line of skillTable(outcome.skills).split('\n')) options.log(line)
  for (const line of outcomeLines(outcome, process.cwd(), options.notes ?? false)) options.log(line)
  options.log(summaryLine(outcome))
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
      },
    },
    async ({ values: flags }) => {
      for (const directory of flags.skills)
        if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
          return `--skills ${directory}: there is no such folder.`
      const { build, failed } = await buildSkills({
        dirs: [join(ROOT, 'skills'), ...flags.skills],
        cacheFile: BUILD_CACHE,
        strict: flags.strict,
        notes: flags.notes,
        log: (line) => console.log(line),
      })
      if (!flags['no-module']) await writeDigestModule(build.digest, DIGEST_MODULE)
      return failed ? 1 : 0
    },
  )
