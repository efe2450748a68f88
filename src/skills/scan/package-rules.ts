// What lies in the folder of a skill that should not travel with it. Paths and links are checked where it is unpacked.

import { credentialFile } from '../format/credential-files.ts'
import { quoted } from '../format/finding.ts'
import { packedKind, programKind } from './magic.ts'
import { lookIntoZip } from './nested-zip.ts'
import type { Report, Rule } from './report.ts'
import type { Source } from './source.ts'

const EXECUTABLE: Rule = {
  id: 'package-executable-binary',
  severity: 'error',
  why: 'nobody can read what a compiled program does, and a skill is read before it is trusted.',
  mend: 'Leave it out; name the package it comes from, or ship its source.',
}
const ARCHIVE: Rule = {
  id: 'package-nested-archive',
  severity: 'warning',
  why: 'what lies in an archive is neither seen by the model nor checked here.',
  mend: 'Put the files into the skill as they are.',
}
const ARCHIVE_PROGRAM: Rule = { ...ARCHIVE, severity: 'error', why: EXECUTABLE.why, mend: EXECUTABLE.mend }
const SENSITIVE: Rule = {
  id: 'package-hidden-sensitive-file',
  severity: 'error',
  why: 'files of this name hold credentials, and are packed by accident.',
  mend: 'Leave it out, or rename it to *.example without values.',
}
const MAYBE_SENSITIVE: Rule = { ...SENSITIVE, severity: 'warning' }
const GIT: Rule = {
  id: 'package-git-directory',
  severity: 'error',
  why: 'a repository carries its whole history, and hooks that run.',
  mend: 'Leave .git out.',
}
const NOT_SCANNED: Rule = {
  id: 'code-not-scanned',
  severity: 'note',
  why: 'this language is not parsed, only the rules of text were applied: secrets, addresses, hidden characters.',
  mend: 'Read it before you trust it, or write it in Python, JavaScript or shell.',
}
const NESTED_SKILL: Rule = {
  id: 'package-nested-skill-md',
  // Hundreds of real skills hold another one. Here it is a plain file: nothing lists or loads it as a skill.
  severity: 'warning',
  why: 'it is a plain file here: no agent will find it as a skill.',
  mend: 'Publish it by itself if it is one, or keep it under evals/fixtures/ if it is a test case.',
}

const UNPARSED =
  /\.(?:rb|php|p[lm]|psm?1|lua|bat|cmd|vbs|tcl|fish|ipynb)$|^#!.{0,100}\b(?:ruby|php|perl|pwsh|lua|tclsh|fish)\b/i

/** Says of code in a language that no rule parses that it was not judged as code. */
export function languageIn(source: Source, report: Report): void {
  if (source.language !== 'other' || source.text === null) return
  const name = UNPARSED.test(source.path) ? source.path : source.text.slice(0, 120).split('\n', 1)[0]
  if (UNPARSED.test(name ?? ''))
    report.add(NOT_SCANNED, source.path, null, 'Code that was not judged as such')
}

/** True for a compiled program: nothing else can be said of it. */
export function packageIn(source: Source, report: Report): boolean {
  const { path, bytes } = source
  const add = (rule: Rule, seen: string): void => report.add(rule, path, null, seen)
  if (source.isSkill && path.includes('/') && !path.startsWith('evals/fixtures/'))
    add(NESTED_SKILL, 'A nested SKILL.md')
  const secret = credentialFile(path)?.rule
  if (secret === GIT.id) add(GIT, 'A file of a Git repository')
  else if (secret !== undefined) add(SENSITIVE, 'A file for credentials')
  else if (/(?:^|\/)credentials$/i.test(path)) add(MAYBE_SENSITIVE, 'A file for credentials')
  const program = programKind(path, bytes, source.text !== null)
  if (program !== null) add(EXECUTABLE, `This is ${program}`)
  else archiveIn(path, bytes, add)
  return program !== null
}

function archiveIn(path: string, bytes: Uint8Array, add: (rule: Rule, seen: string) => void): void {
  const packed = packedKind(path, bytes)
  if (packed === null) return
  const inside = packed === 'archive' ? null : lookIntoZip(bytes)
  if (inside?.program) add(ARCHIVE_PROGRAM, `It holds ${inside.program.kind}, ${quoted(inside.program.name)}`)
  else if (packed !== 'document')
    add(ARCHIVE, inside?.whole === false ? 'An archive that could not be looked into whole' : 'An archive')
}
