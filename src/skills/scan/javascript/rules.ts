// The JavaScript and TypeScript rules: names, grades and words. The families are those of Python.

import type { Rule } from '../report.ts'

const rule = (id: string, severity: Rule['severity'], why: string, mend: string): Rule => ({
  id,
  severity,
  why,
  mend,
})

export const UNPARSABLE = rule(
  'javascript-unparsable',
  'warning',
  'what cannot be parsed cannot be checked, and here it names what could do harm.',
  'Make it plain JavaScript or TypeScript; ship the source in place of a bundle.',
)
export const PARSED_IN_PART = rule(
  'javascript-unparsable',
  'note',
  'the rest was checked, and none of the names that matter stands in what was not.',
  'Nothing, if it is a newer dialect or a template.',
)
export const DYNAMIC_CODE = rule(
  'javascript-dynamic-code',
  'warning',
  'it runs text as code, so nobody can tell beforehand what runs.',
  'Use JSON.parse for data, a table of functions for choices.',
)
export const SHELL_EXEC = rule(
  'javascript-shell-exec',
  'warning',
  'a shell takes the command apart, so a file name or an answer can become a command.',
  'Use execFile or spawn with a list of arguments and without shell.',
)
export const SUBPROCESS = rule(
  'javascript-subprocess',
  'note',
  'it starts another program with the rights of the script.',
  'Nothing, if the program is named in the skill and its arguments are a list.',
)
export const ENV_DUMP_EXFIL = rule(
  'javascript-env-dump-exfil',
  'warning',
  'the whole environment, secrets included, is taken in a script that reaches the network.',
  'Read the variables that are needed by name: process.env.NAME. Handing env to a child process is fine.',
)
export const SENSITIVE_EXFIL = rule(
  'javascript-sensitive-exfil',
  'warning',
  'a file that holds keys or accounts is named in a script that reaches the network.',
  'Leave the path out, or split reading and sending into scripts that can be judged alone.',
)
export const SENSITIVE_READ = rule(
  'javascript-sensitive-path-read',
  'warning',
  'keys or accounts lie there.',
  'Leave the path out, or say in SKILL.md why the skill needs it.',
)
export const REVERSE_SHELL = rule(
  'javascript-reverse-shell',
  'error',
  'a shell is started beside a raw socket: somebody else types its commands.',
  'Remove it. A skill has no honest use for it.',
)
export const DYNAMIC_IMPORT = rule(
  'javascript-dynamic-import',
  'note',
  'which module is loaded is decided when it runs, or comes from the network.',
  'Import by name, or choose from a table of imported modules.',
)
export const REMOTE_IMPORT: Rule = { ...DYNAMIC_IMPORT, severity: 'warning' }
