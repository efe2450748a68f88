// The Python rules: names, grades and words.

import type { Rule } from '../report.ts'

const rule = (id: string, severity: Rule['severity'], why: string, mend: string): Rule => ({
  id,
  severity,
  why,
  mend,
})

export const UNPARSABLE = rule(
  'python-unparsable',
  'warning',
  'what cannot be parsed cannot be checked, and a name that matters stands in it.',
  'Make it Python 3 that `python3 -m py_compile FILE` accepts, in UTF-8; move large data to a file of its own. A template gets another suffix than .py.',
)
export const PARSED_IN_PART = rule(
  'python-unparsable',
  'note',
  'what could be parsed was checked, and none of the names that matter stands in the file.',
  'Nothing, if it is a template or an older Python.',
)
export const DYNAMIC_EXEC = rule(
  'python-dynamic-exec',
  'warning',
  'it runs text as code, so nobody can tell beforehand what runs.',
  'Use ast.literal_eval or json.loads for data, a table of functions for choices.',
)
export const SHELL_EXEC = rule(
  'python-shell-exec',
  'warning',
  'a shell takes the command apart, so a file name or an answer can become a command.',
  'Use subprocess.run([program, argument, …]) with a list and without shell.',
)
export const SENSITIVE_EXFIL = rule(
  'python-sensitive-exfil',
  'warning',
  'a file that holds keys or accounts is named in a script that reaches the network.',
  'Leave the path out, or split reading and sending into scripts that can be judged alone.',
)
export const ENV_DUMP_EXFIL = rule(
  'python-env-dump-exfil',
  'warning',
  'the whole environment, secrets included, is taken in a script that reaches the network.',
  'Read the variables that are needed by name: os.environ["NAME"]. Handing env= to a subprocess is fine.',
)
export const REVERSE_SHELL = rule(
  'python-reverse-shell',
  'error',
  'a socket is tied to the input and output of a process: somebody else types its commands.',
  'Remove it. A skill has no honest use for it.',
)
export const DYNAMIC_IMPORT = rule(
  'python-dynamic-import',
  'note',
  'which module is loaded, or which function taken, is decided when it runs.',
  'Import by name, or choose from a table of imported modules.',
)
export const DYNAMIC_LOOKUP: Rule = { ...DYNAMIC_IMPORT, severity: 'warning' }
export const SUBPROCESS = rule(
  'python-subprocess',
  'note',
  'it starts another program with the rights of the script.',
  'Nothing, if the program is named in the skill and its arguments are a list.',
)
export const SENSITIVE_READ = rule(
  'python-sensitive-path-read',
  'warning',
  'keys or accounts lie there.',
  'Leave the path out, or say in SKILL.md why the skill needs it.',
)
export const DESERIALIZATION = rule(
  'python-unsafe-deserialization',
  'warning',
  'data read so can run code.',
  'Use JSON, or yaml.safe_load.',
)
