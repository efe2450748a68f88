// The text of `npm start -- --help`. Its list of variables is the one that the Worker checks, so it is complete.

import { DEFAULT_PORT } from '../lib/limits.ts'
import { VARIABLE_NAMES } from '../../src/env/variables.ts'

const WIDTH = 110

function wrapped(text: string): string {
  return text.replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

export const USAGE = `npm start -- [options]

  --port N           the port on 127.0.0.1 (default: PORT, otherwise ${DEFAULT_PORT}; 0 means any free port)
  --persist-to DIR   the folder for threads, skills and files (default: .wrangler/state)
  --skills DIR       another folder of skills, watched like skills/ (repeatable)
  --allow-host H:P   a private host and port that tools may access, added to PRIVATE_HOSTS (repeatable)
  --curl             also print a request that can be pasted into a shell; it contains the key
  --help             show this text

${wrapped(`Variables, from the environment or .dev.vars: ${[...VARIABLE_NAMES, 'PORT'].join(', ')}.`)}
docs/operations.md explains each of them.`
