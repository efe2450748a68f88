// The manifest of a skill version, which lists the hashes of its files, and the version's digest, which is its SHA-256.

import { isSha256, sha256Hex } from '../../lib/bytes.ts'
import { checkSkillPath } from '../format/path.ts'
import type { ManifestFile } from '../skill.ts'
import type { FileMap } from './skill-folder.ts'

export interface Manifest {
  /** The version's digest, which is also the address of the manifest in R2. */
  readonly digest: string
  /** A line `path NUL sha256 LF` for each file, sorted by path. */
  readonly text: string
  /** The files in the order of the text. */
  readonly files: readonly ManifestFile[]
}

/** The manifest of these files. Their paths must have passed checkSkillPath and be distinct. */
export async function manifestOf(files: readonly ManifestFile[]): Promise<Manifest> {
  const sorted = files.toSorted((a, b) => byUtf8(a.path, b.path))
  const text = sorted.map((file) => `${file.path}\0${file.sha256}\n`).join('')
  return { digest: await sha256Hex(text), text, files: sorted }
}

/** The manifest of files in memory. */
export async function manifestOfFiles(files: FileMap): Promise<Manifest> {
  const listed: ManifestFile[] = []
  for (const [path, content] of files) listed.push({ path, sha256: await sha256Hex(content) })
  return manifestOf(listed)
}

/** Parses a manifest strictly: returns null unless manifestOf could have created the text. */
export function parseManifest(text: string): readonly ManifestFile[] | null {
  if (!text.endsWith('\n')) return null
  const files: ManifestFile[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const [path, sha256, ...rest] = line.split('\0')
    if (path === undefined || sha256 === undefined || rest.length > 0 || !isSha256(sha256)) return null
    const checked = checkSkillPath(path)
    if (!checked.ok || checked.value !== path) return null
    const last = files.at(-1)
    if (last && byUtf8(last.path, path) >= 0) return null
    files.push({ path, sha256 })
  }
  return files
}

/** Compares by UTF-8 bytes, which is the order of code points. UTF-16 order differs above U+FFFF. */
function byUtf8(a: string, b: string): number {
  const rest = Math.min(a.length, b.length)
  let index = 0
  while (index < rest && a.charCodeAt(index) === b.charCodeAt(index)) index++
  // If only the low surrogates differ, compare from the start of their pairs.
  if (index > 0 && (a.charCodeAt(index) & 0xfc00) === 0xdc00 && (b.charCodeAt(index) & 0xfc00) === 0xdc00)
    index--
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1)
}
