// Whether what SKILL.md and references/ point to is in the skill. Warns and notes, never refuses; opens nothing else.

import type { Steps } from '../../lib/steps.ts'
import { LINKS_FINDINGS_MAX, LINKS_SCAN_CHARS, LINKS_SCAN_FILES } from './limits.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import type { Finding } from '../skill.ts'
import { pointersIn } from './link-pointers.ts'
import type { Pointer } from './link-pointers.ts'
import type { FileMap } from '../package/skill-folder.ts'

/** Each broken pointer of each document once, in the order of the files (SKILL.md first) and lines. */
export function* linkSteps(files: FileMap): Steps<readonly Finding[]> {
  const places = rangesOf(files)
  const findings: Finding[] = []
  const documents = Array.from(files.keys())
    .filter((path) => path === SKILL_FILE || /^references\/.+\.md$/i.test(path))
    .toSorted((a, b) => Number(b === SKILL_FILE) - Number(a === SKILL_FILE) || (a < b ? -1 : 1))
  for (const file of documents.slice(0, LINKS_SCAN_FILES)) {
    const seen = new Set<string>()
    // Four bytes at most to a character; a cut one at the end becomes a mark that no path holds.
    const text = new TextDecoder().decode(files.get(file)?.subarray(0, LINKS_SCAN_CHARS))
    yield text.length * A_CHAR
    for (const pointer of pointersIn(text)) {
      if (seen.has(pointer.target)) continue
      seen.add(pointer.target)
      const finding = brokenAt(pointer, file, places)
      if (finding) findings.push(finding)
      if (findings.length >= LINKS_FINDINGS_MAX) return findings
    }
  }
  return findings
}

// Microseconds.
const A_CHAR = 0.1

interface Locations {
  /** Files and the folders they lie in. */
  readonly all: ReadonlySet<string>
  /** Lower case → as it is. */
  readonly anyCase: ReadonlyMap<string, string>
  /** A file's name in lower case → the only file of that name, '' when there are several. */
  readonly byName: ReadonlyMap<string, string>
}

function rangesOf(files: FileMap): Locations {
  const all = new Set(files.keys())
  for (const path of files.keys())
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) all.add(path.slice(0, at))
  const byName = new Map<string, string>()
  for (const path of files.keys()) {
    if (path === SKILL_FILE) continue // every skill has one: its name alone says nothing
    const name = nameOf(path).toLowerCase()
    byName.set(name, byName.has(name) ? '' : path)
  }
  return { all, anyCase: new Map(Array.from(all, (path) => [path.toLowerCase(), path])), byName }
}

/** Null when the pointer is right: from the skill's root, as the standard says, or from the document's folder. */
function brokenAt({ target, line, link }: Pointer, file: string, places: Locations): Finding | null {
  const here = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  const fromHere = resolved(here, target)
  const fromRoot = resolved('', target)
  if (fromHere === null && fromRoot === null) {
    const message = `${quoted(target)} leads out of the skill: it is there only where its neighbour is visible too.`
    const fix = 'Name that skill under dependencies:, or copy the file into this one.'
    return { rule: 'link-outside', severity: 'note', file, line, message, fix }
  }
  const candidates = [fromRoot, fromHere].filter((path) => path !== null)
  if (candidates.some((path) => path === '' || places.all.has(path))) return null
  const nearest = candidates
    .map((path) => places.anyCase.get(path.toLowerCase()) ?? places.byName.get(nameOf(path).toLowerCase()))
    .find((path) => path !== undefined && path !== '' && path !== file)
  const message = `${quoted(target)} is not in the skill.`
  const fix =
    nearest === undefined ? 'Add the file, or take the reference out.' : `Did you mean ${quoted(nearest)}?`
  return { rule: link ? 'link-broken' : 'path-missing', severity: 'warning', file, line, message, fix }
}

/** The path of a target seen from a folder; null when it leaves the skill. */
function resolved(folder: string, target: string): string | null {
  const kept = folder === '' ? [] : folder.split('/')
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (kept.pop() === undefined) return null
    } else if (segment !== '.' && segment !== '') kept.push(segment)
  }
  return kept.join('/').normalize('NFC')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
