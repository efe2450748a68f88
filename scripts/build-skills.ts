// `npm run skills:build`: bundles folders of skills into a build, prints what it found, writes dist/skills.

import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/lib/clock.ts'
import type { BuildOutcome } from './build/build.ts'
import { hasFailed, makeBuild } from './build/build.ts'
import { openCache } from './build/cache.ts'
import { findingLines, skillTable, summaryLine } from './build/report.ts'
import { writeBuild, writeDigestModule } from './build/write.ts'
import { readArgs } from './lib/args.ts'

const USAGE = `node scripts/build-skills.ts [options]

  --skills DIR   one more folder of skills beside skills/ (repeatable)
  --strict       judge every skill as for publishing; any error fails
  --out DIR      where the build is written (dist/skills)
  --no-module    leave src/skills/build-digest.ts as it is
  --notes        print notes too, not only errors and warnings
  --help         this text

Status 1: an error in skills/ itself, or with --strict in any skill. Status 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export interface BuildOptions {
  /** Folders that hold skills at any depth; the first is the project's own. */
  readonly dirs: readonly string[]
  /** Where build.json and the blobs are written; null: nowhere. */
  readonly outDir: string | null
  readonly strict: boolean
  readonly notes?: boolean
  readonly log: (line: string) => void
}

/** Builds, reports line by line to `log`, writes. `failed`: the command should end with status 1. */
export async function buildSkills(
  options: BuildOptions,
): Promise<BuildOutcome & { readonly failed: boolean }> {
  const dirs = [...new Set(options.dirs.map((directory) => resolve(directory)))]
  const cache = await openCache(options.outDir && join(options.outDir, 'cache.json'), systemClock)
  const outcome = await makeBuild(dirs, options.strict, cache)
  for (const line of skillTable(outcome.skills).split('\n')) options.log(line)
  for (const line of findingLines(outcome, process.cwd(), options.notes ?? false)) options.log(line)
  options.log(summaryLine(outcome))
  if (options.outDir !== null) await writeBuild(outcome.build, options.outDir)
  if (!options.strict) await cache.save()
  return { ...outcome, failed: hasFailed(outcome, options.strict) }
}

async function main(argv: readonly string[]): Promise<number> {
  const args = readArgs({
    args: [...argv],
    options: {
      skills: { type: 'string', multiple: true, default: [] },
      strict: { type: 'boolean', default: false },
      out: { type: 'string', default: join(ROOT, 'dist/skills') },
      'no-module': { type: 'boolean', default: false },
      notes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (!args.ok) {
    console.error(`${args.error}\n\n${USAGE}`)
    return 2
  }
  const flags = args.value.values
  if (flags.help) {
    console.log(USAGE)
    return 0
  }
  for (const directory of flags.skills)
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
      console.error(`--skills ${directory}: there is no such folder.`)
      return 2
    }
  const dirs = [join(ROOT, 'skills'), ...flags.skills]
  const { build, failed } = await buildSkills({
    dirs,
    outDir: resolve(flags.out),
    strict: flags.strict,
    notes: flags.notes,
    log: (line) => console.log(line),
  })
  if (!flags['no-module']) await writeDigestModule(build.digest, join(ROOT, 'src/skills/build-digest.ts'))
  return failed ? 1 : 0
}

/** True when Node was started with this file, not when another one imports it. */
function started(): boolean {
  const script = process.argv[1]
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)
}

if (started()) process.exitCode = await main(process.argv.slice(2))
