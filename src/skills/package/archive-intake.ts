// Limits on the members of any archive: names, numbers, sizes. Knows no format and reads no content.

import { fromUtf8 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { FIELD_ERRORS_MAX } from '../../limits/requests.ts'
import { SKILL_BYTES_MAX, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../limits/skills.ts'
import { ARCHIVE_ENTRIES_MAX } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { checkSkillPath, pathCollision } from '../format/path.ts'
import { isLitter } from './litter.ts'
import type { FileMap } from './skill-folder.ts'

export interface ArchiveIntake {
  /**
   * Registers a member before its content is read. Returns its path when the content is wanted; null for a folder, a
   * file that is left out, and a refused one. `refusal`: the format's reason to refuse it.
   */
  announce(member: Member, refusal: string | null): string | null
  /** No further member needs to be registered. */
  full(): boolean
  keep(path: string, content: Uint8Array<ArrayBuffer>): void
  /**
   * Why nothing may be extracted; null when all registered members are fine. Failures: `too_large`, `invalid_archive`.
   */
  refused(): Failure | null
  files(): Result<FileMap>
}

interface Member {
  readonly name: Uint8Array
  readonly folder: boolean
  /** Bytes of content, as the archive declares. */
  readonly size: number
}

interface MemberError {
  readonly path: string
  readonly message: string
}

export function damaged(detail: string): Failure {
  return { code: 'invalid_archive', detail }
}

export function intake(): ArchiveIntake {
  const names = new Map<string, string>()
  const errors: MemberError[] = []
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let members = 0
  let bytes = 0
  let over: Failure | null = null

  const count = (path: string, size: number): void => {
    bytes += size
    if (names.size > SKILL_FILES_MAX) over ??= archiveTooLarge(`more than ${SKILL_FILES_MAX} files`)
    if (size > SKILL_FILE_MAX_BYTES)
      over ??= archiveTooLarge(
        `${quoted(path)}, which has ${size} bytes; one file has at most ${SKILL_FILE_MAX_BYTES}`,
      )
    if (bytes > SKILL_BYTES_MAX)
      over ??= archiveTooLarge(`files of more than ${SKILL_BYTES_MAX} bytes together`)
  }

  return {
    announce({ name, folder, size }, refusal) {
      members += 1
      if (members > ARCHIVE_ENTRIES_MAX) over ??= archiveTooLarge(`more than ${ARCHIVE_ENTRIES_MAX} members`)
      const read = readName(name)
      const path = read.ok ? read.value : null
      const problem = refusal ?? (read.ok ? null : read.error)
      if (problem !== null) {
        errors.push(memberError(name, problem))
        return null
      }
      if (path === null || folder || isLitter(path)) return null
      const twin = names.get(path)
      if (twin !== undefined) {
        errors.push({ path: shown(name), message: 'appears twice. Keep one of the two and pack again.' })
        return null
      }
      names.set(path, path)
      count(path, size)
      return path
    },
    full: () => over !== null || errors.length >= FIELD_ERRORS_MAX,
    keep: (path, content) => files.set(path, content),
    refused() {
      if (over) return over
      const clash = errors.length === 0 ? pathCollision(Array.from(names.keys())) : null
      if (clash)
        errors.push({
          path: quoted(clash[0]),
          message: `is the same as ${quoted(clash[1])} on some file systems. Rename one and pack again.`,
        })
      return errors.length === 0 ? null : membersRefused(errors)
    },
    files: () =>
      files.size > 0
        ? ok(files)
        : fail('invalid_archive', 'The archive holds no files. Pack the skill’s folder.'),
  }
}

export function archiveTooLarge(what: string): Failure {
  return {
    code: 'too_large',
    detail: `The archive holds ${what}. Remove unused files, and pack again.`,
  }
}

export function membersRefused(errors: readonly MemberError[]): Failure {
  const detail = 'The archive holds members that no skill may have; nothing was imported.'
  return { code: 'invalid_archive', detail, errors }
}

/** `problem` is a sentence. */
export function memberError(name: Uint8Array, problem: string): MemberError {
  return { path: shown(name), message: `${problem} Fix that and pack again.` }
}

/** The path of a member; null for the root itself. The error is a sentence. */
function readName(bytes: Uint8Array): Result<string | null, string> {
  const text = fromUtf8(bytes)
  if (text === null) return { ok: false, error: 'Its name is not UTF-8.' }
  // `tar -C folder .` writes ./ before every name. Other dot segments are refused below.
  const name = text.replace(/^\.\//, '').replace(/\/$/, '')
  if ((name === '' || name === '.') && text !== '' && !text.startsWith('/')) return ok(null)
  const checked = checkSkillPath(name)
  if (checked.ok) return checked
  // The first segment may be a wrapper folder that is removed later, so it does not count for length or depth.
  const slash = name.indexOf('/')
  const parts = [name.slice(0, slash), name.slice(slash + 1)]
  return slash > 0 && parts.every((part) => checkSkillPath(part).ok) ? ok(name.normalize('NFC')) : checked
}

function shown(name: Uint8Array): string {
  return quoted(new TextDecoder().decode(name.subarray(0, 400)))
}
