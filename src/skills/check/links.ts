// Checks that the files to which SKILL.md and references/ point are in the skill. Reports only warnings and notes.

import type { Steps } from '../../lib/steps.ts'
import { LINKS_FINDINGS_MAX, LINKS_SCAN_MAX_CHARS, LINKS_SCAN_FILES_MAX } from './limits.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import type { Finding } from '../skill.ts'
import { pointersIn } from './link-pointers.ts'
import type { Pointer } from './link-pointers.ts'
import type { FileMap } from '../package/skill-folder.ts'

/** The broken pointers, each once per document, by file (SKILL.md first) and line. */
export function* linkSteps(files: FileMap): Steps<readonly Finding[]> {
  const locations = locationsOf(files)
  const findings: Finding[] = []
  const documents = Array.from(files.keys())
    .filter((path) => path === SKILL_FILE || /^references\/.+\.md$/i.test(path))
    .toSorted((a, b) => Number(b === SKILL_FILE) - Number(a === SKILL_FILE) || (a < b ? -1 : 1))
  for (const file of documents.slice(0, LINKS_SCAN_FILES_MAX)) {
    const seenTargets = new Set<string>()
    // A character cut at the end becomes U+FFFD, which no path contains.
    const text = new TextDecoder().decode(files.get(file)?.subarray(0, LINKS_SCAN_MAX_CHARS))
    yield text.length * US_PER_CHAR
    for (const pointer of pointersIn(text)) {
      if (seenTargets.has(pointer.target)) continue
      seenTargets.add(pointer.target)
      const finding = findingFor(pointer, file, locations)
      if (finding) findings.push(finding)
      if (findings.length >= LINKS_FINDINGS_MAX) return findings
    }
  }
  return findings
}

// Measured cost in microseconds per character.
const US_PER_CHAR = 0.1

interface Locations {
  /** The paths of all files and folders. */
  readonly paths: ReadonlySet<string>
  /** Maps a lower-case path to the path. */
  readonly byLowerCasePath: ReadonlyMap<string, string>
  /** Maps a lower-case file name to the only file of that name, or to '' if there are several. */
  readonly byName: ReadonlyMap<string, string>
}

function locationsOf(files: FileMap): Locations {
  const paths = new Set(files.keys())
  for (const path of files.keys())
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      paths.add(path.slice(0, slash))
  const byName = new Map<string, string>()
  for (const path of files.keys()) {
    if (path === SKILL_FILE) continue // Every skill has one, so its name is no hint.
    const name = nameOf(path).toLowerCase()
    byName.set(name, byName.has(name) ? '' : path)
  }
  return { paths, byLowerCasePath: new Map(Array.from(paths, (path) => [path.toLowerCase(), path])), byName }
}

/**
 * The finding for a broken pointer; null if it is valid, either from the skill's root, as the standard says, or from
 * the document's folder.
 */
function findingFor({ target, line, isLink }: Pointer, file: string, locations: Locations): Finding | null {
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  const fromDocument = resolvePath(folder, target)
  const fromRoot = resolvePath('', target)
  if (fromDocument === null && fromRoot === null) {
    const message = `${quoted(target)} points outside the skill, to a file that exists only where its skill is also visible.`
    const fix = 'List that skill in the field dependencies, or copy the file into this skill.'
    return { rule: 'link-outside', severity: 'note', file, line, message, fix }
  }
  const candidates = [fromRoot, fromDocument].filter((path) => path !== null)
  if (candidates.some((path) => path === '' || locations.paths.has(path))) return null
  const nearest = candidates
    .map(
      (path) =>
        locations.byLowerCasePath.get(path.toLowerCase()) ?? locations.byName.get(nameOf(path).toLowerCase()),
    )
    .find((path) => path !== undefined && path !== '' && path !== file)
  const message = `${quoted(target)} is not in the skill.`
  const fix =
    nearest === undefined ? 'Add the file, or remove the reference.' : `Did you mean ${quoted(nearest)}?`
  return { rule: isLink ? 'link-broken' : 'path-missing', severity: 'warning', file, line, message, fix }
}

/** The path of a target, resolved from a folder; null if it leads out of the skill. */
function resolvePath(folder: string, target: string): string | null {
  const segments = folder === '' ? [] : folder.split('/')
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null
    } else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return segments.join('/').normalize('NFC')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
