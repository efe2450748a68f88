// Every rule of the scan: its ID, its severity, why it matters and how to fix it. To add a rule, begin
// with a row here, and then write its detection. A single phrase belongs in declaration-rules.ts, with its
// `*_ANCHOR`. A combination of signs belongs in verdicts.ts or command-verdicts.ts, with its patterns and
// keywords in instruction-signs.ts (and a warning's row in instruction-rules.ts). Everything else belongs
// in shell-lines.ts, code/, hidden-text.ts or a file named `*-rules.ts`.

import type { Finding } from '../../skill.ts'
import { CERTAIN_ERRORS, NO_HONEST_USE } from './certain-rules.ts'
import { CODE_ERRORS, CODE_NOTES, CODE_WARNINGS } from './code-rules.ts'
import { INSTRUCTION_WARNINGS } from './instruction-rules.ts'

export interface Rule {
  readonly severity: Finding['severity']
  /** Why the finding matters. */
  readonly why: string
  readonly fix: string
}

/** `[why, fix]` by rule ID. All rules of one table have the same severity. */
type RuleTexts = Readonly<Record<string, readonly [string, string]>>

const REMOVE_SECRET =
  'Remove it, revoke it with its issuer, and let the skill read it from the environment or from secrets supplied by the caller. To mark a sample, include the word "example", or write it as <token>.'
const DELETE_INVISIBLE = 'Delete these characters; most editors have an option to show invisible characters.'
const UNREADABLE = 'a skill is read before it is trusted, but nobody can read what a compiled program does.'
const REMOVE_PROGRAM = 'Remove it; name the package it comes from, or ship its source.'
const IMPERSONATES =
  'models use such markers to separate turns, tools and reminders, so the text can pass for a message from someone else.'

/** Errors: content that has no honest use or leaks secrets. Publishing is refused. */
const ERRORS = {
  'scan-failed': [
    'the unchecked content could be anything.',
    'Remove the file or simplify it. This is a bug in the scanner: please report it.',
  ],
  'scan-more-errors': [
    'an error that is not listed could be anything.',
    'Fix the listed errors and scan again.',
  ],
  'package-executable-binary': [UNREADABLE, REMOVE_PROGRAM],
  'package-archive-with-program': [UNREADABLE, REMOVE_PROGRAM],
  'package-hidden-sensitive-file': [
    'files with this name hold credentials and are often packed by accident.',
    'Remove it, or rename it to *.example and delete its values.',
  ],
  'package-git-directory': [
    'a repository contains its whole history, and hooks that can run.',
    'Remove the .git folder.',
  ],
  'secret-private-key': [
    'everyone who can read the skill, including the model, would have the key.',
    REMOVE_SECRET,
  ],
  'secret-cloud-token': [
    'everyone who can read the skill, including the model, could use it.',
    REMOVE_SECRET,
  ],
  'invisible-tag-characters': [
    'such characters spell text that the model reads but people do not see.',
    DELETE_INVISIBLE,
  ],
  'declaration-locked-prerequisite': [
    'whoever checks the skill cannot see the program, because it is in an encrypted archive or on a page that anyone can edit.',
    'Remove it, or use a package from a registry with a pinned version. Do not run the program to find out what it does.',
  ],
  'shell-reverse-shell': [
    'it opens a connection through which someone else can run commands.',
    NO_HONEST_USE,
  ],
  'shell-untrusted-pipe-shell': [
    'nobody vouches for what is run: it comes from an IP address, an unencrypted connection or a site where anyone can upload.',
    'Remove it, or download it over https from a named host, check its SHA-256, and then run it.',
  ],
  'shell-decoded-command': [
    'whoever checks the skill cannot read encoded or disguised commands.',
    'Write the commands in plain text.',
  ],
  ...CERTAIN_ERRORS,
} as const satisfies RuleTexts

/** Warnings: content that may be honest, and uncertain findings. They are shown and stored with the version. */
const WARNINGS = {
  'package-nested-archive': [
    'the model does not see what is in an archive, and the scan does not check it.',
    'Put the unpacked files into the skill.',
  ],
  'package-maybe-sensitive-file': [
    'files with this name may hold credentials.',
    'If it holds credentials, remove it; otherwise rename it.',
  ],
  'marker-of-models': [IMPERSONATES, 'Remove it, or describe it in words.'],
  'marker-not-searched': [
    'the text after them was not searched for further tags.',
    'Remove them, or describe them in words.',
  ],
  'invisible-bidi-controls': [
    'text is displayed in a different order from the one in which it is read, so code and instructions can hide.',
    DELETE_INVISIBLE,
  ],
  'invisible-characters': [
    'they can hide text from people, or split a word so that a search does not find it.',
    DELETE_INVISIBLE,
  ],
  'invisible-control-characters': [
    'a terminal interprets them, so they can overwrite text or make it invisible.',
    DELETE_INVISIBLE,
  ],
  'network-cloud-metadata': [
    'this address returns the credentials of the machine on which a script runs.',
    'Remove it; declare secrets to give the skill its credentials.',
  ],
  'network-cleartext-http': ['anyone on the network path can read and change plain http.', 'Use https.'],
  'declaration-external-endpoint': [
    'the skill tells the model to send something to an external address over plain http.',
    'Use https, and say what is sent there.',
  ],
  'declaration-prompt-override': [
    'a skill should add to the instructions of an agent; text that cancels them is typical of prompt injection.',
    'State what to do without referring to other instructions. In a skill about prompt injection, quote such text in a reference file.',
  ],
  'declaration-sensitive-capability': [
    'it is more access than most skills need.',
    'Specify the one command or host that you need, and list the tools in allowed-tools.',
  ],
  'declaration-sensitive-path': [
    'keys, accounts or control of the machine are stored there.',
    'Remove the path, or say why the skill needs it.',
  ],
  'declaration-download-prerequisite': [
    'malware spreads this way: the skill is harmless, but the "required" program, which nobody has checked, is not.',
    'Remove it, or use a package from a registry with a pinned version. Do not run the program to find out what it does.',
  ],
  ...INSTRUCTION_WARNINGS,
  'shell-reverse-shell-heuristic': [
    'reverse shells are often built from interactive shells and named pipes.',
    'Remove it, or explain in a comment what it is for.',
  ],
  'shell-sensitive-exfil': [
    'accounts, keys or the whole environment are passed to a program that sends data over the network.',
    'Remove it.',
  ],
  'shell-curl-pipe-shell': [
    'it runs whatever the server sends at that moment.',
    'Download it, check its SHA-256, and then run it; or use a package manager.',
  ],
  'shell-destructive-command': [
    'it deletes or overwrites a whole system folder, home folder or device.',
    'Specify the exact folder to delete, below the working directory.',
  ],
  'resource-fork-bomb': ['it starts copies of itself until the machine stops responding.', 'Remove it.'],
  'python-dynamic-lookup': [
    'the function is chosen at run time from a module that can start programs or run code.',
    'Call the function by name, or look it up in a table of functions.',
  ],
  'python-unsafe-deserialization': [
    'data that is loaded this way can run code.',
    'Use JSON or yaml.safe_load instead.',
  ],
  'javascript-remote-import': [
    'the imported module is whatever the server sends at that moment.',
    'Install it from a registry with a pinned version, or ship it with the skill.',
  ],
} as const satisfies RuleTexts

const NOTES = {
  'scan-more-findings': [
    'only the most severe findings are listed.',
    'Fix the listed findings and scan again.',
  ],
  'secret-env-assignment': [
    'if it is real, everyone who can read the skill has it.',
    'If it is real, remove it, revoke it with its issuer, and let the skill read it from the environment or from secrets supplied by the caller. To mark a sample, include the word "example", or write it as <token>.',
  ],
  'shell-env-dump': [
    'the environment holds secrets, and the model reads everything that is printed.',
    'Print only the variable you need.',
  ],
  'package-nested-skill-md': [
    'agents do not load a SKILL.md in a subfolder as a skill.',
    'If it is a skill, publish it separately; if it is a test case, move it to evals/fixtures/.',
  ],
  'code-not-scanned': [
    'this language is not parsed; only the text rules were applied (secrets, addresses, commands, hidden characters).',
    'Read it before you trust it, or write it in Python, JavaScript or shell.',
  ],
  'marker-of-turns': [
    'after an empty line, a line that begins like this can pass for a turn of the user or the model.',
    'Write the example as a quotation (> Human: …), or give the speakers other names.',
  ],
  'marker-of-satchel': [
    'Satchel uses this tag for its own messages, so the model is shown the bracket as "&lt;".',
    'Write the tag without its brackets, or remove it.',
  ],
  'network-local-http': [
    'it reaches a service on the machine or private network where the script runs.',
    'No action is needed if the skill is about a local service.',
  ],
  'shell-connection': [
    'the shell connects to a port, as scripts do to wait for a service.',
    'No action is needed if it only waits for a service.',
  ],
} as const satisfies RuleTexts

type CodeRule = keyof typeof CODE_ERRORS | keyof typeof CODE_WARNINGS | keyof typeof CODE_NOTES
export type RuleId =
  | keyof typeof ERRORS
  | keyof typeof WARNINGS
  | keyof typeof NOTES
  | `${'python' | 'javascript'}-${CodeRule}`

function rulesOf<P extends string, T extends RuleTexts>(
  severity: Rule['severity'],
  prefix: P,
  texts: T,
): Record<`${P}${keyof T & string}`, Rule> {
  const entries = Object.entries(texts).map(([id, [why, fix]]) => [`${prefix}${id}`, { severity, why, fix }])
  // The cast restores the key type, which Object.fromEntries loses.
  return Object.fromEntries(entries) as Record<`${P}${keyof T & string}`, Rule>
}

export const RULES: Readonly<Record<RuleId, Rule>> = {
  ...rulesOf('error', '', ERRORS),
  ...rulesOf('warning', '', WARNINGS),
  ...rulesOf('note', '', NOTES),
  ...rulesOf('error', 'python-', CODE_ERRORS),
  ...rulesOf('warning', 'python-', CODE_WARNINGS),
  ...rulesOf('note', 'python-', CODE_NOTES),
  ...rulesOf('error', 'javascript-', CODE_ERRORS),
  ...rulesOf('warning', 'javascript-', CODE_WARNINGS),
  ...rulesOf('note', 'javascript-', CODE_NOTES),
}

/**
 * Errors that can never be accepted, whatever the reason: content that leaks when it is read (secrets,
 * credential files, repositories), content that nobody can read (programs, tag characters), hidden code that
 * is passed to a shell, and content that was not checked or not listed, which could be any of these. All
 * other errors may be accepted by rule ID.
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
