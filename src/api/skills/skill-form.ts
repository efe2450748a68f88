// Reads a skill that is sent as a form, with many files or one archive. File names are checked later, with the skill.

import { fail, ok, type Result } from '../../lib/result.ts'
import { codePoints } from '../../lib/text.ts'
import { PUBLISH_NOTE_MAX_CHARS } from '../../limits/requests.ts'
import { PUBLISH_BODY_MAX_BYTES, SKILL_FILES_MAX } from '../../limits/skills.ts'
import { isArchive, unpackArchive } from '../../skills/package/archive.ts'
import { quoted } from '../../skills/format/finding.ts'
import type { Acceptance } from '../../skills/check/accept.ts'
import type { FileMap } from '../../skills/package/skill-folder.ts'
import { readBytes } from '../bodies/body.ts'
import { invalidField } from '../problems/field-errors.ts'
import { parseAcceptField } from './accept.ts'

export interface SkillUpload {
  /** The files as sent, at the root or in one folder. Paths from JSON and forms are not checked yet. */
  readonly files: FileMap
  readonly note: string | null
  readonly accept: readonly Acceptance[]
}

// The field name may contain the path, because many clients remove folders from file names.
const FILE_FIELD = /^(?:files?|files?\[([^[\]]*)\])$/

/**
 * Reads the fields `file`, `files` and `files[]` with the path as file name, `files[references/a.md]` with the path in the field name,
 * `note`, and `accept` as JSON. A single archive is unpacked. The size limit is that of JSON, because the platform's parser copies.
 */
export async function readSkillForm(
  request: Request,
  reportProgress: () => boolean,
): Promise<Result<SkillUpload>> {
  const bytes = await readBytes(request, PUBLISH_BODY_MAX_BYTES, reportProgress)
  if (!bytes.ok) return bytes
  const form = await parseForm(request, bytes.value)
  if (!form)
    return fail('invalid_request', 'The form cannot be parsed. Send it as valid multipart/form-data.')
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  let note: string | null = null
  let accept: readonly Acceptance[] | null = null
  for (const [field, value] of form) {
    if (field === 'note' && typeof value === 'string' && note === null) {
      if (codePoints(value) > PUBLISH_NOTE_MAX_CHARS)
        return refuse(field, `must have at most ${PUBLISH_NOTE_MAX_CHARS} characters`)
      note = value
      continue
    }
    if (field === 'accept' && typeof value === 'string' && accept === null) {
      const parsed = parseAcceptField(value)
      if (!parsed.ok) return parsed
      accept = parsed.value
      continue
    }
    const fieldMatch = FILE_FIELD.exec(field)
    if (!fieldMatch)
      return refuse(
        field,
        /^(?:note|accept)$/.test(field)
          ? 'must be text and appear only once'
          : 'is not a field of this request',
      )
    if (typeof value === 'string') return refuse(field, "must be a file: curl -F 'files[]=@SKILL.md'")
    const path = fieldMatch[1] === undefined || fieldMatch[1] === '' ? value.name : fieldMatch[1]
    if (files.has(path)) return duplicateFile(path)
    if (files.size === SKILL_FILES_MAX)
      return fail(
        'too_large',
        `The form has more than ${SKILL_FILES_MAX} files, which is the limit for a skill. Remove unused files.`,
      )
    files.set(path, new Uint8Array(await value.arrayBuffer()))
  }
  if (files.size === 0) return refuse('files[]', 'is missing: send the files of the skill, or one archive')
  const [singleFile] = files.values()
  const noteAndAccept = { note, accept: accept ?? [] }
  if (files.size > 1 || !singleFile || !isArchive(singleFile)) return ok({ files, ...noteAndAccept })
  const unpacked = await unpackArchive(singleFile)
  return unpacked.ok ? ok({ files: unpacked.value, ...noteAndAccept }) : unpacked
}

async function parseForm(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData | null> {
  try {
    const type = request.headers.get('Content-Type') ?? ''
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData()
  } catch {
    return null
  }
}

function refuse(field: string, message: string): Result<never> {
  return invalidField(quoted(field), message, `The form is not valid. ${quoted(field)}: ${message}.`)
}

function duplicateFile(path: string): Result<never> {
  const message =
    'appears twice. Many clients send file names without their folders: put the path into the field name, as in ' +
    'files[references/a.md], or into the file name (curl -F "files[]=@a.md;filename=references/a.md")'
  return invalidField(quoted(path), message, `The form is not valid. The file ${quoted(path)} ${message}.`)
}
