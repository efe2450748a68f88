// The rules under which other tools accept a shared skill, and the findings for its publisher. Pure; visibility.ts
// decides whether a skill is shared.

import { SKILL_DESCRIPTION_MAX, SKILL_NAME_MAX } from '../../limits/skills.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import type { Finding, IndexEntry, ManifestFile } from '../skill.ts'
import { fitsUstar } from './archive-pack.ts'

/** Whether clients of /.well-known/ accept the name. Some clients drop the whole list because of one invalid name. */
export function isListableName(name: string): boolean {
  return name.length <= SKILL_NAME_MAX && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

/** At most 1,024 UTF-16 units, as clients count, without half a character at the end. */
export function listedDescription({ description }: Pick<IndexEntry, 'description'>): string {
  if (description.length <= SKILL_DESCRIPTION_MAX) return description
  const cut = description.slice(0, SKILL_DESCRIPTION_MAX - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** Paths that the archive of a skill cannot hold. */
export function unpackablePaths(files: readonly ManifestFile[]): readonly string[] {
  return files.length === 1 ? [] : files.map((file) => file.path).filter((path) => !fitsUstar(path))
}

/** True for a path such as `v1..v2.md`, for which clients of version 0.1.0 drop the whole list. */
export function looksClimbing(path: string): boolean {
  return path.includes('..')
}

/** The frontmatter that common clients accept: no byte order mark, nothing before the fence, no spaces after one. */
const PLAIN_FENCES = /^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/

type Add = (rule: string, severity: Finding['severity'], message: string, fix: string) => void

function adding(findings: Finding[]): Add {
  return (rule, severity, message, fix) => {
    findings.push({ rule, severity, file: SKILL_FILE, line: null, message, fix })
  }
}

/** The findings of sharingFindings that need no files. */
export function sharingFindingsOfEntry(entry: IndexEntry): readonly Finding[] {
  if (!entry.shareable) return []
  const findings: Finding[] = []
  const add = adding(findings)
  if (entry.internal)
    add(
      'share-internal',
      'note',
      'It is shared and has metadata.internal: true, so it is not listed publicly.',
      'Remove metadata.internal, or do not share it.',
    )
  if (!isListableName(entry.name))
    add(
      'share-name',
      'warning',
      `It is shared under the name ${quoted(entry.name)}, which other tools do not accept; it is not listed.`,
      `Use 1–${SKILL_NAME_MAX} lower-case letters, digits and single hyphens, as in my-skill.`,
    )
  if (entry.description.length > SKILL_DESCRIPTION_MAX)
    add(
      'share-description',
      'note',
      `The list of shared skills shows only ${SKILL_DESCRIPTION_MAX} characters of its description.`,
      'Shorten description or when_to_use.',
    )
  return findings
}

/** Why a shared skill is not listed, or not listed as written. Empty for a skill that is not shared. */
export function sharingFindings(
  entry: IndexEntry,
  files: readonly ManifestFile[],
  skillMd: string,
): readonly Finding[] {
  if (!entry.shareable) return []
  const findings = [...sharingFindingsOfEntry(entry)]
  const add = adding(findings)
  const [long] = unpackablePaths(files)
  if (long !== undefined)
    add(
      'share-path',
      'warning',
      `It is shared, and its path ${quoted(long)} is too long for an archive; it is not listed.`,
      'Shorten names to 100 bytes and their folders to 155.',
    )
  const climbing = files.find((file) => looksClimbing(file.path))
  if (climbing)
    add(
      'share-dots',
      'note',
      `It is shared, and older tools do not accept its path ${quoted(climbing.path)}; it is not in the list of 0.1.0.`,
      'Remove the two dots from the name.',
    )
  if (!PLAIN_FENCES.test(skillMd))
    add(
      'share-frontmatter',
      'warning',
      'It is shared, and other tools cannot read its frontmatter.',
      'Start the file with a line of only three hyphens, and end the fields with another.',
    )
  return findings
}
