// Checks the members of an archive, of any format, before their content is read: names, numbers and sizes.

import { fromUtf8 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { FIELD_ERRORS_MAX } from '../../limits/requests.ts'
import { SKILL_MAX_BYTES, SKILL_FILE_MAX_BYTES, SKILL_FILES_MAX } from '../../limits/skills.ts'
import { ARCHIVE_ENTRIES_MAX } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { checkSkillPath, pathCollision } from '../format/path.ts'
import { isLitter } from './litter.ts'
import type { FileMap } from './skill-folder.ts'

export interface ArchiveIntake {
  /**
   * Registers a member before its content is read. Returns its path if the content is needed; null for folders, ignored
   * files and refused members. `refusal` is a reason of the archive's format to refuse it, or null.
   */
  announce(member: Member, refusal: string | null): string | null
  /**
   * True if nothing will be extracted and enough errors are known. No more members need to be registered
   * then.
   */
  isFull(): boolean
  addFile(path: string, content: Uint8Array<ArrayBuffer>): void
  /** Why nothing may be extracted (`too_large` or `invalid_archive`); null if all registered members are acceptable. */
  refusal(): Failure | null
  files(): Result<FileMap>
}

interface Member {
  readonly name: Uint8Array
  readonly folder: boolean
  /** Bytes of content, as declared by the archive. */
  readonly size: number
}

interface MemberError {
  readonly path: string
  readonly message: string
}

export function damaged(detail: string): Failure {
  return { code: 'invalid_archive', detail }
}

export function archiveIntake(): ArchiveIntake {
  const names = new Map<string, string>()
  const errors: MemberError[] = []
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let memberCount = 0
  let bytes = 0
  let tooLarge: Failure | null = null

  const count = (path: string, size: number): void => {
    bytes += size
    if (names.size > SKILL_FILES_MAX) tooLarge ??= archiveTooLarge(`more than ${SKILL_FILES_MAX} files`)
    if (size > SKILL_FILE_MAX_BYTES)
      tooLarge ??= archiveTooLarge(
        `${quoted(path)}, which has ${size} bytes; the limit for one file is ${SKILL_FILE_MAX_BYTES}`,
      )
    if (bytes > SKILL_MAX_BYTES)
      tooLarge ??= archiveTooLarge(`files with a total of more than ${SKILL_MAX_BYTES} bytes`)
  }

  return {
    announce({ name, folder, size }, refusal) {
      memberCount += 1
      if (memberCount > ARCHIVE_ENTRIES_MAX)
        tooLarge ??= archiveTooLarge(`more than ${ARCHIVE_ENTRIES_MAX} members`)
      const read = readName(name)
      const path = read.ok ? read.value : null
      const problem = refusal ?? (read.ok ? null : read.error)
      if (problem !== null) {
        errors.push(memberError(name, problem))
        return null
      }
      if (path === null || folder || isLitter(path)) return null
      const duplicate = names.get(path)
      if (duplicate !== undefined) {
        errors.push({
          path: quotedName(name),
          message: 'appears twice. Remove one of the two, then pack again.',
        })
        return null
      }
      names.set(path, path)
      count(path, size)
      return path
    },
    isFull: () => tooLarge !== null || errors.length >= FIELD_ERRORS_MAX,
    addFile: (path, content) => files.set(path, content),
    refusal() {
      if (tooLarge) return tooLarge
      const clash = errors.length === 0 ? pathCollision(Array.from(names.keys())) : null
      if (clash)
        errors.push({
          path: quoted(clash[0]),
          message: `is the same as ${quoted(clash[1])} on some file systems. Rename one of them, then pack again.`,
        })
      return errors.length === 0 ? null : membersRefused(errors)
    },
    files: () =>
      files.size > 0
        ? ok(files)
        : fail('invalid_archive', 'The archive contains no files. Pack the skill’s folder.'),
  }
}

export function archiveTooLarge(contents: string): Failure {
  return {
    code: 'too_large',
    detail: `The archive contains ${contents}. Remove unused files, then pack again.`,
  }
}

export function membersRefused(errors: readonly MemberError[]): Failure {
  const detail = 'The archive contains entries that are not allowed in a skill; nothing was imported.'
  return { code: 'invalid_archive', detail, errors }
}

/** The error for a member. `problem` must be a sentence. */
export function memberError(name: Uint8Array, problem: string): MemberError {
  return { path: quotedName(name), message: `${problem} Fix that, then pack again.` }
}

/** The path of a member; null for the root folder itself. The error is a sentence. */
function readName(bytes: Uint8Array): Result<string | null, string> {
  const text = fromUtf8(bytes)
  if (text === null) return { ok: false, error: 'Its name is not UTF-8.' }
  // `tar -C folder .` writes ./ before every name. checkSkillPath refuses other dot segments.
  const name = text.replace(/^\.\//, '').replace(/\/$/, '')
  if ((name === '' || name === '.') && text !== '' && !text.startsWith('/')) return ok(null)
  const checked = checkSkillPath(name)
  if (checked.ok) return checked
  // The first segment may be a wrapper folder that is removed later, so it is excluded from the limits.
  const slash = name.indexOf('/')
  const parts = [name.slice(0, slash), name.slice(slash + 1)]
  return slash > 0 && parts.every((part) => checkSkillPath(part).ok) ? ok(name.normalize('NFC')) : checked
}

function quotedName(name: Uint8Array): string {
  return quoted(new TextDecoder().decode(name.subarray(0, 400)))
}
