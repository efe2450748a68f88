// The text of `npm start -- --help`. Lists the variables that the Worker checks, so that none is missing.

import { DEFAULT_PORT } from '../lib/limits.ts'
import { VARIABLE_NAMES } from '../../src/env/variables.ts'

const WIDTH = 110

function wrapped(text: string): string {
  return text.replace(new RegExp(`(.{1,${WIDTH}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

export const USAGE = `npm start -- [options]

  --port N           port on 127.0.0.1 (else PORT; ${DEFAULT_PORT}; 0: any free one)
  --persist-to DIR   where threads, skills and files are kept (.wrangler/state)
  --skills DIR       one more folder of skills, watched like skills/ (repeatable)
  --allow-host H:P   for PRIVATE_HOSTS: host and port that tools may reach though private (repeatable)
  --help             this text

${wrapped(`Variables, from the environment or .dev.vars: ${[...VARIABLE_NAMES, 'PORT'].join(', ')}.`)}
docs/operations.md says what each of them does.`
