// Every rule of the scan: its id, what it is worth, what it means and what to do. A new rule begins with a row here. What
// finds it goes into declaration-rules.ts (one phrase of a text, with its `*_ANCHOR`), instructions.ts (signs close
// together: pattern and hint in instruction-signs.ts, a warning's row in instruction-rules.ts), shell-lines.ts, code/,
// hidden-text.ts, else a file `*-rules.ts`.

import type { Finding } from '../../skill.ts'
import { CERTAIN_CODE_ERRORS, CERTAIN_ERRORS } from './certain-rules.ts'
import { INSTRUCTION_WARNINGS } from './instruction-rules.ts'

export interface Rule {
  readonly severity: Finding['severity']
  /** What it means that this was seen. */
  readonly why: string
  readonly fix: string
}

/** `[why, fix]` by id: one id has one severity. */
type RuleTexts = Readonly<Record<string, readonly [string, string]>>

const TAKE_OUT =
  'Take it out, revoke it where it was issued, and let the skill read it from the environment or from the secrets a caller hands in. A sample is written with the word example in it, or as <token>.'
const INVISIBLE = 'Delete these characters; an editor shows them when it renders invisible characters.'
const NO_HONEST_USE = 'Remove it. A skill has no honest use for it.'
const UNREADABLE = 'nobody can read what a compiled program does, and a skill is read before it is trusted.'
const LEAVE_OUT_PROGRAM = 'Leave it out; name the package it comes from, or ship its source.'
const POSES =
  'by such marks models part their turns, tools and reminders; in a text they can pass for another voice.'

/** What has no honest use, or leaks: it refuses a skill. */
const ERRORS = {
  'scan-failed': [
    'what was not checked could hold anything.',
    'Leave the file out or write it more simply; this is a fault of the scanner and worth a report.',
  ],
  'scan-more-errors': ['what is not listed could be anything.', 'Fix the listed ones and scan again.'],
  'package-executable-binary': [UNREADABLE, LEAVE_OUT_PROGRAM],
  'package-archive-with-program': [UNREADABLE, LEAVE_OUT_PROGRAM],
  'package-hidden-sensitive-file': [
    'files of this name hold credentials, and are packed by accident.',
    'Leave it out, or rename it to *.example without values.',
  ],
  'package-git-directory': ['a repository carries its whole history, and hooks that run.', 'Leave .git out.'],
  'secret-private-key': [
    'everyone who can read the skill, the model included, would have the key.',
    TAKE_OUT,
  ],
  'secret-cloud-token': ['everyone who can read the skill, the model included, could use it.', TAKE_OUT],
  'invisible-tag-characters': [
    'such characters spell text that people do not see and the model reads.',
    INVISIBLE,
  ],
  'declaration-locked-prerequisite': [
    'a password given beside it, or a page where anybody leaves anything, keeps a program from whoever checks the skill.',
    'Remove it, or name a package from a registry with its version. Do not run the program to find out.',
  ],
  'shell-reverse-shell': ['it opens a connection through which somebody else types commands.', NO_HONEST_USE],
  'shell-untrusted-pipe-shell': [
    'what is run comes from nobody: from an address without a name, without encryption, or from where anybody leaves anything.',
    'Remove it; or download it over https from a host that has a name, check its sha-256, then run it.',
  ],
  'shell-decoded-command': [
    'commands that are encoded cannot be read by whoever checks the skill.',
    'Write the commands in clear.',
  ],
  ...CERTAIN_ERRORS,
} as const satisfies RuleTexts

/** What is a guess, or honest at times: it is shown and kept with the version. */
const WARNINGS = {
  'package-nested-archive': [
    'the content of an archive is neither seen by the model nor checked here.',
    'Put the files into the skill as they are.',
  ],
  'package-maybe-sensitive-file': [
    'a file of this name may hold credentials.',
    'If it does, leave it out; else give it another name.',
  ],
  'marker-of-models': [POSES, 'Leave it out, or name it in words.'],
  'marker-not-searched': [
    'the text after them was not searched for such tags.',
    'Leave them out, or name them in words.',
  ],
  'invisible-bidi-controls': [
    'text is shown in another order than it is read, so code and instructions can hide.',
    INVISIBLE,
  ],
  'invisible-characters': [
    'they hide text from people, or split a word so that a search does not find it.',
    INVISIBLE,
  ],
  'invisible-control-characters': [
    'a terminal obeys them: text can be overwritten or coloured away.',
    INVISIBLE,
  ],
  'network-cloud-metadata': [
    'that address hands out the credentials of the machine a script runs on.',
    'Remove it; give a skill its credentials as declared secrets.',
  ],
  'network-cleartext-http': ['what goes over plain http can be read and changed on its way.', 'Use https.'],
  'declaration-external-endpoint': [
    'the skill sends its reader, the model, to an outside address over plain http.',
    'Use https, and say what is sent there.',
  ],
  'declaration-prompt-override': [
    'a skill adds to the instructions of an agent; text that cancels them is how injections begin.',
    'Say what to do, without reference to other instructions. In a skill about injections, quote it in a reference file.',
  ],
  'declaration-sensitive-capability': [
    'the skill speaks of a power that is more than most skills need.',
    'Name the one command or host that is needed, and list the tools in allowed-tools.',
  ],
  'declaration-sensitive-path': [
    'keys, accounts or control of the machine are stored there.',
    'Leave the path out, or say why the skill needs it.',
  ],
  'declaration-download-prerequisite': [
    'malware is spread so: the skill is harmless, the "required" program that nobody checked is not.',
    'Remove it, or name a package from a registry with its version. Do not run the program to find out.',
  ],
  ...INSTRUCTION_WARNINGS,
  'shell-reverse-shell-heuristic': [
    'interactive shells and named pipes are parts of a reverse shell.',
    'Remove it, or say in a comment what it is for.',
  ],
  'shell-sensitive-exfil': [
    'accounts, keys or the whole environment are handed to a program that sends them away.',
    'Remove it.',
  ],
  'shell-curl-pipe-shell': [
    'what is run is whatever the server sends at that moment.',
    'Download it, check its sha-256, then run it; or use a package manager.',
  ],
  'shell-destructive-command': [
    'it deletes or overwrites a whole system tree or device.',
    'Name the one folder that is meant, below the working directory.',
  ],
  'resource-fork-bomb': ['it multiplies itself until the machine stops.', 'Remove it.'],
  'python-dynamic-lookup': [
    'which function of a module that starts programs is taken is decided when it runs.',
    'Call it by name, or choose from a table of functions.',
  ],
  'python-unsafe-deserialization': ['data read so can run code.', 'Use JSON, or yaml.safe_load.'],
  'javascript-remote-import': [
    'a module from the network is whatever the server sends at that moment.',
    'Take it from a registry with its version, or ship it.',
  ],
} as const satisfies RuleTexts

const NOTES = {
  'scan-more-findings': ['the most severe are listed first.', 'Fix the listed ones and scan again.'],
  'secret-env-assignment': [
    'if it is real, everyone who can read the skill has it.',
    'If it is real: Take it out, revoke it where it was issued, and let the skill read it from the environment or from the secrets a caller hands in. A sample is written with the word example in it, or as <token>.',
  ],
  'shell-env-dump': [
    'the environment holds secrets, and its whole is printed into what the model reads.',
    'Ask for the one variable that is needed.',
  ],
  'package-nested-skill-md': [
    'it is a plain file here: no agent will find it as a skill.',
    'Publish it by itself if it is one, or keep it under evals/fixtures/ if it is a test case.',
  ],
  'code-not-scanned': [
    'this language is not parsed, only the rules of text were applied: secrets, addresses, commands, hidden characters.',
    'Read it before you trust it, or write it in Python, JavaScript or shell.',
  ],
  'marker-of-turns': [
    'a line that begins so, behind an empty one, can pass for the turn of a user or of the model.',
    'Write the example as a quotation (> Human: …), or name the speakers otherwise.',
  ],
  'marker-of-satchel': [
    'Satchel marks its own words so: the bracket is shown to the model as "&lt;".',
    'Name the tag without its brackets, or leave it out.',
  ],
  'network-local-http': [
    'it reaches a service on the machine or in the private network where the script runs.',
    'Nothing, if the skill is about a local service.',
  ],
  'shell-connection': [
    'a connection of the shell to a port, as a wait for a service makes one.',
    'Nothing, if it only waits for a service.',
  ],
} as const satisfies RuleTexts

// What both parsed languages are held to: `python-shell-exec`, `javascript-shell-exec`.

const CODE_ERRORS = {
  ...CERTAIN_CODE_ERRORS,
  'reverse-shell': [
    'a socket is tied to the input and output of a process: somebody else types its commands.',
    NO_HONEST_USE,
  ],
} as const satisfies RuleTexts

const CODE_WARNINGS = {
  unparsable: [
    'what cannot be parsed cannot be checked, and a name that matters stands in it.',
    'Make it plain Python 3, JavaScript or TypeScript in UTF-8; ship the source in place of a bundle. A template gets another suffix.',
  ],
  'received-code': [
    'it runs text from an address that is given when it runs, or from this machine.',
    'Ship the code with the skill; treat what is received as data.',
  ],
  'dynamic-code': [
    'it runs text as code, so nobody can tell beforehand what runs.',
    'Use JSON or ast.literal_eval for data, a table of functions for choices.',
  ],
  'shell-exec': [
    'a shell takes the command apart, so a file name or an answer can become a command.',
    'Use a list of arguments without a shell: subprocess.run([program, …]), execFile, spawn.',
  ],
  'env-dump-exfil': [
    'the whole environment, secrets included, is taken in a script that reaches the network.',
    'Read the variables that are needed by name. Handing the environment to a child process is fine.',
  ],
  'sensitive-exfil': [
    'a file that holds keys or accounts is named in a script that reaches the network.',
    'Leave the path out, or split reading and sending into scripts that can be judged alone.',
  ],
  'download-run': [
    'what it gets from the network is written, made executable and started: nobody checked that.',
    'Ship the source, or name a package from a registry with its version.',
  ],
  'sensitive-path-read': [
    'keys or accounts are stored there.',
    'Leave the path out, or say in SKILL.md why the skill needs it.',
  ],
} as const satisfies RuleTexts

const CODE_NOTES = {
  'parsed-in-part': [
    'the rest was checked, and none of the names that matter stands in what was not.',
    'Nothing, if it is a template, data or another dialect.',
  ],
  'dynamic-import': [
    'which module is loaded is decided when it runs.',
    'Import by name, or choose from a table of imported modules.',
  ],
  subprocess: [
    'it starts another program with the rights of the script.',
    'Nothing, if the program is named in the skill and its arguments are a list.',
  ],
} as const satisfies RuleTexts

type CodeRule = keyof typeof CODE_ERRORS | keyof typeof CODE_WARNINGS | keyof typeof CODE_NOTES
export type RuleId =
  | keyof typeof ERRORS
  | keyof typeof WARNINGS
  | keyof typeof NOTES
  | `${'python' | 'javascript'}-${CodeRule}`

function graded<P extends string, W extends RuleTexts>(
  severity: Rule['severity'],
  prefix: P,
  words: W,
): Record<`${P}${keyof W & string}`, Rule> {
  const rows = Object.entries(words).map(([id, [why, fix]]) => [`${prefix}${id}`, { severity, why, fix }])
  // Object.fromEntries forgets the names of keys.
  return Object.fromEntries(rows) as Record<`${P}${keyof W & string}`, Rule>
}

export const RULES: Readonly<Record<RuleId, Rule>> = {
  ...graded('error', '', ERRORS),
  ...graded('warning', '', WARNINGS),
  ...graded('note', '', NOTES),
  ...graded('error', 'python-', CODE_ERRORS),
  ...graded('warning', 'python-', CODE_WARNINGS),
  ...graded('note', 'python-', CODE_NOTES),
  ...graded('error', 'javascript-', CODE_ERRORS),
  ...graded('warning', 'javascript-', CODE_WARNINGS),
  ...graded('note', 'javascript-', CODE_NOTES),
}

/**
 * Errors that nobody can accept, with whatever reason: what leaks by being read (secrets, files for them, repositories),
 * what nobody can read (programs, tag characters), what hands unseen code to a shell, and what was not checked or not listed,
 * which could be any of these. Every other error may be accepted by its id.
 */
export const NEVER_ACCEPTED: ReadonlySet<string> = new Set<RuleId>([
  'secret-private-key',
  'secret-cloud-token',
  'package-hidden-sensitive-file',
  'package-git-directory',
  'package-executable-binary',
  'package-archive-with-program',
  'invisible-tag-characters',
  'shell-untrusted-pipe-shell',
  'shell-decoded-command',
  'python-untrusted-code',
  'javascript-untrusted-code',
  'scan-failed',
  'scan-more-errors',
])
