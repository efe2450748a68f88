// The rules for paths of files in a skill. Every path that a user supplies is checked here before it is used.

import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { codePoints, stripInvisible } from '../../lib/text.ts'
import { SKILL_PATH_MAX_CHARS } from '../../limits/skills.ts'
import { SKILL_PATH_MAX_DEPTH } from './limits.ts'

/** The path in NFC, relative to the skill's root, or a message for the sender that says why it is refused. */
export function checkSkillPath(path: string): Result<string, string> {
  const reason = refusalReason(path)
  return reason === null ? ok(path.normalize('NFC')) : err(`The path ${quotedPath(path)} ${reason}.`)
}

function refusalReason(path: string): string | null {
  if (path === '') return 'is empty'
  if (path.length > 4 * SKILL_PATH_MAX_CHARS || codePoints(path) > SKILL_PATH_MAX_CHARS)
    return `is longer than ${SKILL_PATH_MAX_CHARS} characters`
  if (!path.isWellFormed()) return 'is not well-formed Unicode'
  if (/\p{Cc}/u.test(path) || stripInvisible(path) !== path) return 'contains control or invisible characters'
  if (path.includes('\\')) return 'contains a backslash; separate folders with /'
  if (path.includes(':')) return 'contains a colon'
  if (path.startsWith('/')) return 'is absolute; it must be relative to the skill'
  // If something decodes the path again, these become separators, dots or NUL.
  if (/%(?:2e|2f|5c|00|25)/i.test(path)) return 'contains percent-encoded separators or dots'
  const segments = path.split('/')
  if (segments.length > SKILL_PATH_MAX_DEPTH) return `is deeper than ${SKILL_PATH_MAX_DEPTH} folders`
  for (const segment of segments) {
    if (segment === '') return 'has an empty segment'
    // NFKC also catches look-alikes such as U+2024, which some file systems fold into dots.
    if (/^\.{1,2}$/.test(segment.normalize('NFKC')))
      return 'has a segment of only dots, which could lead out of the skill'
    if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space'
    if (segment.startsWith(' ')) return 'has a segment that starts with a space'
  }
  return null
}

/**
 * Resolves a reference from a model or a document (`./references/../a.md`) against the skill's root. Refuses references
 * that lead out of it. Keeps a `#fragment`, because it may be part of the file's name.
 */
export function resolveInside(reference: string): Result<string, string> {
  const segments: string[] = []
  for (const segment of reference.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined)
        return err(`The path ${quotedPath(reference)} leaves the skill's folder.`)
    } else if (segment !== '.') segments.push(segment)
  }
  return checkSkillPath(segments.join('/'))
}

/**
 * The first path that collides with another on some file system (by case, by NFC, or because one is a folder in the
 * other), with that other path; null if none do. When such files are extracted, one could overwrite the other.
 */
export function pathCollision(paths: readonly string[]): readonly [string, string] | null {
  const files = new Map<string, string>()
  for (const path of paths) {
    const folded = caseFolded(path)
    const otherPath = files.get(folded)
    if (otherPath !== undefined) return [path, otherPath]
    files.set(folded, path)
  }
  for (const [folded, path] of files)
    for (let slash = folded.indexOf('/'); slash !== -1; slash = folded.indexOf('/', slash + 1)) {
      const otherPath = files.get(folded.slice(0, slash))
      if (otherPath !== undefined) return [path, otherPath]
    }
  return null
}

function caseFolded(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase()
}

function quotedPath(path: string): string {
  return `'${stripInvisible(path.slice(0, 80).toWellFormed()).replace(/\s/g, ' ')}'`
}
