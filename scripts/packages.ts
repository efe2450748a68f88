// `npm run packages -- list | add | remove | needs`: manages the packages that scripts of skills can import.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { needsOfSkills } from './check-skills/skill-needs.ts'
import { command, complain } from './lib/command.ts'
import { findMissingFolder } from './lib/folders.ts'
import { packageIndexes } from './packages/open-index.ts'
import { runPackagesVerb } from './packages/verbs.ts'

const USAGE = `npm run packages -- VERB [options]

  list                 list the packages of this deployment with versions and licences
  add NAME…            add packages and what they require: openpyxl, 'openpyxl>=3.1', npm:lodash, npm:lodash@^4
  remove NAME…         remove packages and what only they required
  needs                list what the skills say they need, and what is missing

  --index URL          the Python index, which must offer the JSON simple API (default: PYTHON_PACKAGE_INDEX)
  --npm-index URL      the npm registry (default: NPM_PACKAGE_INDEX)
  --skills DIR         needs: another folder of skills, in addition to skills/ (repeatable)
  --help               show this text

Only packages without compiled parts can be added, and nothing in them is executed. The result is skills/packages.lock.

Exit status: 0 done; 1 refused, or needs found something missing; 2 wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    allowPositionals: true,
    options: {
      index: { type: 'string' },
      'npm-index': { type: 'string' },
      skills: { type: 'string', multiple: true, default: [] },
    },
  },
  async ({ values: flags, positionals }) => {
    const missing = findMissingFolder(flags.skills)
    if (missing !== null) return missing
    return runPackagesVerb(positionals, {
      root: ROOT,
      addresses: packageIndexes({ python: flags.index, node: flags['npm-index'] }, process.env),
      needs: (lock) => needsOfSkills([join(ROOT, 'skills'), ...flags.skills], lock),
      say: (line) => console.log(line),
      complain,
    })
  },
)
