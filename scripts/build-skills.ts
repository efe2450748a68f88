// `npm run skills:build`: bundles folders of skills into a build, prints the result, and writes the build's digest
// into a module of the Worker.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build/build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { command, complain } from './lib/command.ts'
import { missingFolderMessage } from './lib/folders.ts'

const USAGE = `npm run skills:build -- [options]

  --skills DIR   one more folder of skills beside skills/ (repeatable)
  --strict       judge every skill as for publishing; any error fails
  --no-module    leave src/skills/build-digest.ts as it is
  --notes        print notes too, not only errors and warnings
  --table        print a table, a row for each skill: sizes, and tokens in the index (level 1) and of the body (level 2)
  --help         this text

Status 1: an error in skills/ itself, or with --strict in any skill. Status 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

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
    const missing = missingFolderMessage(flags.skills)
    if (missing !== null) return missing
    const { build, failed } = await buildSkills({
      dirs: [join(ROOT, 'skills'), ...flags.skills],
      cacheFile: BUILD_CACHE,
      strict: flags.strict,
      notes: flags.notes,
      table: flags.table,
      log: (line) => console.log(line),
      reportProgress: (line) => console.error(line),
    })
    if (!flags['no-module']) await writeDigestModule(build.digest, DIGEST_MODULE)
    if (failed) complain(`There are errors ${flags.strict ? '' : 'in skills/ '}(above).`)
    return failed ? 1 : 0
  },
)
