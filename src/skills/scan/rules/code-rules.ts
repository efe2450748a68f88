// Rules for code in Python and JavaScript: `[why, fix]` by rule ID without its prefix, which is the language
// (`python-shell-exec`, `javascript-shell-exec`).

import { CERTAIN_CODE_ERRORS, NO_HONEST_USE } from './certain-rules.ts'

export const CODE_ERRORS = {
  ...CERTAIN_CODE_ERRORS,
  'reverse-shell': [
    'a socket is connected to the input and output of a process, so someone else can run commands.',
    NO_HONEST_USE,
  ],
} as const

export const CODE_WARNINGS = {
  unparsable: [
    'the scan cannot check a part that it cannot parse, and a function that matters may be used there.',
    'Write plain Python 3, JavaScript or TypeScript in UTF-8; ship the source instead of a bundle. If it is a template, give it another file extension.',
  ],
  'received-code': [
    'it runs text from an address that is supplied at run time, or from this machine.',
    'Ship the code with the skill; treat what is received as data.',
  ],
  'dynamic-code': [
    'it runs text as code, so nobody can tell beforehand what will run.',
    'Use JSON or ast.literal_eval for data, and a lookup table of functions to choose what to run.',
  ],
  'shell-exec': [
    'a shell interprets the command, so a file name or user input can become a command.',
    'Pass a list of arguments without a shell: subprocess.run([program, …]), execFile, spawn.',
  ],
  'env-dump-exfil': [
    'the script reads the whole environment, including secrets, and also reaches the network.',
    'Read only the variables you need, by name. You may pass the environment to a child process.',
  ],
  'sensitive-exfil': [
    'the script names a file that holds keys or accounts, and also reaches the network.',
    'Remove the path, or put reading and sending into separate scripts that can be judged independently.',
  ],
  'download-run': [
    'the script writes a file and runs it, and also reaches the network; nobody has checked what it downloads.',
    'Ship the source, or use a package from a registry with a pinned version.',
  ],
  'sensitive-path-read': [
    'keys or accounts are stored there.',
    'Remove the path, or say in SKILL.md why the skill needs it.',
  ],
} as const

export const CODE_NOTES = {
  'parsed-in-part': [
    'the other parts were checked, and the unchecked part mentions no function that matters.',
    'No action is needed if it is a template, data or another dialect.',
  ],
  'dynamic-import': [
    'the module to load is chosen at run time.',
    'Import the module by name, or look it up in a table of imported modules.',
  ],
  subprocess: [
    'it starts another program with the permissions of the script.',
    'No action is needed if the skill names the program and passes its arguments as a list.',
  ],
} as const
