// What somebody sent, checked as a skill that could go live: the same for one upload and for each of a commit.
// Reads no store and writes nothing.

import { sha256Hex } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { inSteps } from '../../lib/steps.ts'
import type { Pace, Steps } from '../../lib/steps.ts'
import { FIELD_ERRORS_MAX } from '../../limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import { parseSkill } from '../format/parse.ts'
import { manifestOf } from '../package/digest.ts'
import type { Manifest } from '../package/digest.ts'
import { indexEntry } from '../package/entry.ts'
import { linkSteps } from '../package/links.ts'
import { skillFolder } from '../package/skill-folder.ts'
import type { FileMap } from '../package/skill-folder.ts'
import { scanSteps } from '../scan/scan.ts'
import type { Finding, IndexEntry, ManifestFile } from '../skill.ts'

export interface Draft {
  readonly entry: IndexEntry
  readonly manifest: Manifest
  readonly files: FileMap
  /** None is an error. Those of reading SKILL.md stand in the entry, too, and so in the index. */
  readonly findings: readonly Finding[]
}

/** `sent`: at the root or under one folder. Failures: `too_large`, `invalid_skill` with `errors`, each `file:line`. */
export async function draftSkill(sent: FileMap, pace: Pace): Promise<Result<Draft>> {
  const folder = skillFolder(sent)
  if (!folder.ok) return folder
  const { files, bytes } = folder.value
  const text = files.get(SKILL_FILE) ?? new Uint8Array()
  const parsed = await inSteps(parseSteps(text, folder.value.folder), pace)
  const scanned = await inSteps(scanSteps(files), pace)
  const findings = [...parsed.findings, ...scanned, ...(await inSteps(linkSteps(files), pace))]
  if (!parsed.skill || findings.some(isError))
    return fail('invalid_skill', 'The skill cannot be published as it is.', { errors: errorsOf(findings) })
  const listed: ManifestFile[] = []
  for (const [path, content] of files) listed.push({ path, sha256: await sha256Hex(content) })
  const manifest = await manifestOf(listed)
  const entry = indexEntry({
    skill: parsed.skill,
    category: 'custom',
    digest: manifest.digest,
    skillMdSha256: listed.find((file) => file.path === SKILL_FILE)?.sha256 ?? '',
    files: files.size,
    bytes,
    findings: parsed.findings,
    enabled: true,
    updatedAt: null,
  })
  return ok({ entry, manifest, files, findings })
}

function* parseSteps(text: Uint8Array, folder: string): Steps<ReturnType<typeof parseSkill>> {
  const parsed = parseSkill(text, folder, 'strict')
  yield A_HEADER + text.byteLength * A_BYTE
  return parsed
}

// Microseconds: a header of YAML, and a byte of a body whose words are counted.
const A_HEADER = 1_000
const A_BYTE = 0.05

function isError(finding: Finding): boolean {
  return finding.severity === 'error'
}

function errorsOf(findings: readonly Finding[]): NonNullable<Failure['errors']> {
  return findings
    .filter(isError)
    .slice(0, FIELD_ERRORS_MAX)
    .map(({ file, line, message, mend }) => ({
      path: line === null ? file : `${file}:${line}`,
      message: `${message} ${mend}`,
    }))
}
