// `npm run skills:build`: creates a build from folders of skills, prints the result, and writes the build's digest to
// a module of the Worker. Adds the packages of skills/packages.lock to the static files.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counted } from '../src/lib/counted.ts'
import { buildPackages } from './build/build-packages.ts'
import { packageIndexes } from './packages/open-index.ts'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build/build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { command, complain } from './lib/command.ts'
import { findMissingFolder } from './lib/folders.ts'

const USAGE = `npm run skills:build -- [options]

  --skills DIR   another folder of skills, in addition to skills/ (repeatable)
  --strict       check every skill as publishing does, and fail on any error
  --no-module    do not change src/skills/build-digest.ts
  --notes        also show notes, not only errors and warnings
  --table        show a table with the size of each skill, and its tokens in the index (level 1) and body (level 2)
  --index URL    fetch the Python packages of skills/packages.lock from here (default: PYTHON_PACKAGE_INDEX)
  --npm-index URL  fetch its npm packages from here (default: NPM_PACKAGE_INDEX)
  --help         show this text

Exit status: 0 built; 1 an error in skills/ or, with --strict, in any skill; 2 wrong arguments.`

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
      index: { type: 'string' },
      'npm-index': { type: 'string' },
    },
  },
  async ({ values: flags }) => {
    const missing = findMissingFolder(flags.skills)
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
    const addresses = packageIndexes({ python: flags.index, node: flags['npm-index'] }, process.env)
    const packages = await buildPackages(ROOT, addresses, (line) => console.log(line))
    if (!packages.ok) complain(`${packages.error.message} (${packages.error.code})`)
    else if (packages.value > 0)
      console.log(`${counted(packages.value, 'package')} copied into the static files.`)
    if (failed) complain(`The errors above${flags.strict ? '' : ' in skills/'} must be fixed.`)
    return failed || !packages.ok ? 1 : 0
  },
)
