// What lies in the folder of a skill that should not travel with it. Paths and links are checked where it is unpacked.

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
  severity: 'warning',
  why: 'files of this name hold credentials, and are packed by accident.',
  mend: 'Leave it out; ship a sample such as env.example without values.',
}
const GIT: Rule = {
  id: 'package-git-directory',
  severity: 'warning',
  why: 'a repository carries its whole history, and hooks that run.',
  mend: 'Leave .git out.',
}
const NESTED_SKILL: Rule = {
  id: 'package-nested-skill-md',
  // Hundreds of real skills hold another one. Here it is a plain file: nothing lists or loads it as a skill.
  severity: 'warning',
  why: 'it is a plain file here: no agent will find it as a skill.',
  mend: 'Publish it by itself if it is one, or keep it under evals/fixtures/ if it is a test case.',
}

const SENSITIVE_NAME =
  /(?:^|\/)(?:\.env(?:\.(?:local|production|prod|development|dev|staging))?|\.npmrc|\.pypirc|\.netrc|credentials|\.git-credentials|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519))$|(?:^|\/)\.git\/config$/i

export function packageIn(source: Source, report: Report): void {
  const { path, bytes } = source
  const add = (rule: Rule, seen: string): void => report.add(rule, path, null, seen)
  if (source.isSkill && path.includes('/') && !path.startsWith('evals/fixtures/'))
    add(NESTED_SKILL, 'A nested SKILL.md')
  if (SENSITIVE_NAME.test(path)) add(SENSITIVE, 'A file for credentials')
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) add(GIT, 'A file of a Git repository')
  const program = programKind(path, bytes, source.text !== null)
  if (program !== null) return add(EXECUTABLE, `This is ${program}`)
  const packed = packedKind(path, bytes)
  if (packed === null) return
  const inside = packed === 'archive' ? null : lookIntoZip(bytes)
  if (inside?.program) add(ARCHIVE_PROGRAM, `It holds ${inside.program.kind}, ${quoted(inside.program.name)}`)
  else if (packed !== 'document')
    add(ARCHIVE, inside?.whole === false ? 'An archive that could not be looked into whole' : 'An archive')
}
