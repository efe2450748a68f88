// A skill sent as a form: many files, or one archive. Accepts names as sent; the skill's own checks follow.

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
import { acceptIn } from './accept.ts'

export interface SkillUpload {
  /** As sent: at the root or in one folder. Paths from JSON and forms are not checked yet. */
  readonly files: FileMap
  readonly note: string | null
  readonly accept: readonly Acceptance[]
}

// The path may be in the field's name: clients drop folders from file names.
const FIELD = /^(?:files?|files?\[([^[\]]*)\])$/

/**
 * Fields `file`, `files` and `files[]` with the path as the file's name, `files[references/a.md]` with the path in the field's,
 * `note`, and `accept` as JSON. A single archive is unpacked. Has JSON's size limit, because the platform's parser copies.
 */
export async function readSkillForm(request: Request, alive: () => boolean): Promise<Result<SkillUpload>> {
  const bytes = await readBytes(request, PUBLISH_BODY_MAX_BYTES, alive)
  if (!bytes.ok) return bytes
  const form = await parsed(request, bytes.value)
  if (!form) return fail('invalid_request', 'The form cannot be read. Send it as multipart/form-data.')
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
      const read = acceptIn(value)
      if (!read.ok) return read
      accept = read.value
      continue
    }
    const named = FIELD.exec(field)
    if (!named)
      return refuse(
        field,
        /^(?:note|accept)$/.test(field) ? 'must be one text' : 'is not a field of this request',
      )
    if (typeof value === 'string') return refuse(field, "must be a file: curl -F 'files[]=@SKILL.md'")
    const path = named[1] === undefined || named[1] === '' ? value.name : named[1]
    if (files.has(path)) return twice(path)
    if (files.size === SKILL_FILES_MAX)
      return fail('too_large', `The form has more than ${SKILL_FILES_MAX} files. Leave out unused ones.`)
    files.set(path, new Uint8Array(await value.arrayBuffer()))
  }
  if (files.size === 0) return refuse('files[]', 'is missing: send the files of the skill, or one archive')
  const [only] = files.values()
  const rest = { note, accept: accept ?? [] }
  if (files.size > 1 || !only || !isArchive(only)) return ok({ files, ...rest })
  const unpacked = await unpackArchive(only)
  return unpacked.ok ? ok({ files: unpacked.value, ...rest }) : unpacked
}

async function parsed(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormData | null> {
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

function twice(path: string): Result<never> {
  const message =
    'is there twice. Many clients send file names without their folders: put the path into the field, as in ' +
    'files[references/a.md], or into the name (curl -F "files[]=@a.md;filename=references/a.md")'
  return invalidField(quoted(path), message, `The form is not valid. The file ${quoted(path)} ${message}.`)
}
