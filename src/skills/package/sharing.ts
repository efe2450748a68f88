// Checks whether other tools accept a shared skill, and tells its publisher what they do not. Pure. view/visibility.ts
// decides whether a skill is shared.

import { SKILL_DESCRIPTION_MAX_CHARS, SKILL_NAME_MAX_CHARS } from '../../limits/skills.ts'
import { quoted, SKILL_FILE } from '../format/finding.ts'
import type { Finding, IndexEntry, ManifestFile } from '../skill.ts'
import { fitsUstar } from './archive-paths.ts'

/**
 * Whether clients of /.well-known/ accept the name. Some clients reject the entire list if one name is
 * invalid.
 */
export function isListableName(name: string): boolean {
  return name.length <= SKILL_NAME_MAX_CHARS && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

/** The description, cut to 1,024 UTF-16 code units, which is what clients count. Does not cut a character in half. */
export function listedDescription({ description }: Pick<IndexEntry, 'description'>): string {
  if (description.length <= SKILL_DESCRIPTION_MAX_CHARS) return description
  const truncated = description.slice(0, SKILL_DESCRIPTION_MAX_CHARS - 1)
  return `${/[\uD800-\uDBFF]$/.test(truncated) ? truncated.slice(0, -1) : truncated}…`
}

/** The paths that are too long for the archive of a skill. */
export function unpackablePaths(files: readonly ManifestFile[]): readonly string[] {
  return files.length === 1 ? [] : files.map((file) => file.path).filter((path) => !fitsUstar(path))
}

/** Whether a path, such as `v1..v2.md`, makes clients of format 0.1.0 reject the entire list. */
export function hasDoubleDots(path: string): boolean {
  return path.includes('..')
}

/** The frontmatter that common clients accept: no byte order mark, nothing before the fence, no spaces after fences. */
const PLAIN_FENCES = /^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/

type Add = (rule: string, severity: Finding['severity'], message: string, fix: string) => void

function findingAdder(findings: Finding[]): Add {
  return (rule, severity, message, fix) => {
    findings.push({ rule, severity, file: SKILL_FILE, line: null, message, fix })
  }
}

/** The findings about sharing that can be determined without the skill's files. */
export function sharingFindingsOfEntry(entry: IndexEntry): readonly Finding[] {
  if (!entry.shareable) return []
  const findings: Finding[] = []
  const add = findingAdder(findings)
  if (entry.internal)
    add(
      'share-internal',
      'note',
      'The skill is shared but has metadata.internal: true, so it is not listed publicly.',
      'Remove metadata.internal, or stop sharing the skill.',
    )
  if (!isListableName(entry.name))
    add(
      'share-name',
      'warning',
      `The skill is shared, but other tools do not accept the name ${quoted(entry.name)}, so it is not listed.`,
      `Use 1–${SKILL_NAME_MAX_CHARS} lower-case letters, digits and single hyphens, as in my-skill.`,
    )
  if (entry.description.length > SKILL_DESCRIPTION_MAX_CHARS)
    add(
      'share-description',
      'note',
      `The list of shared skills shows only ${SKILL_DESCRIPTION_MAX_CHARS} characters of the skill’s description.`,
      'Shorten description or when_to_use.',
    )
  return findings
}

/** Findings that say why a shared skill is not listed, or not as written. Empty for a skill that is not shared. */
export function sharingFindings(
  entry: IndexEntry,
  files: readonly ManifestFile[],
  skillMd: string,
): readonly Finding[] {
  if (!entry.shareable) return []
  const findings = [...sharingFindingsOfEntry(entry)]
  const add = findingAdder(findings)
  const [longPath] = unpackablePaths(files)
  if (longPath !== undefined)
    add(
      'share-path',
      'warning',
      `The skill is shared, but its path ${quoted(longPath)} is too long for an archive, so it is not listed.`,
      'Shorten the names of files to 100 bytes and the paths of their folders to 155.',
    )
  const dottedFile = files.find((file) => hasDoubleDots(file.path))
  if (dottedFile)
    add(
      'share-dots',
      'note',
      `The skill is shared, but older tools do not accept its path ${quoted(dottedFile.path)}, so it is not in the list in format 0.1.0.`,
      'Remove the two dots from the path.',
    )
  if (!PLAIN_FENCES.test(skillMd))
    add(
      'share-frontmatter',
      'warning',
      'The skill is shared, but other tools cannot read its frontmatter.',
      'Begin the file with a line of only three hyphens, and end the frontmatter with another such line.',
    )
  return findings
}
