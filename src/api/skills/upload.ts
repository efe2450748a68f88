// Reads the files of one skill from a request and limits their size. Does not check the skill and writes nothing.

import * as z from 'zod'
import { fromBase64, utf8 } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { codePoints } from '../../lib/text.ts'
import { PUBLISH_NOTE_MAX_CHARS } from '../../limits/requests.ts'
import { PUBLISH_BODY_MAX_BYTES } from '../../limits/skills.ts'
import { ARCHIVE_BODY_MAX_BYTES } from './limits.ts'
import { unpackBlocks } from '../../skills/package/archive.ts'
import { Blocks } from '../../skills/package/blocks.ts'
import { readParts } from '../bodies/body.ts'
import { invalidField } from '../problems/field-errors.ts'
import { shortText } from '../fields/fields.ts'
import { encodingRefusal, readJson } from '../bodies/json-body.ts'
import { Accept, parseAcceptField } from './accept.ts'
import { readSkillForm, type SkillUpload } from './skill-form.ts'

const PublishBody = z.strictObject({
  files: z.record(z.string().min(1), z.union([z.string(), z.strictObject({ base64: z.string() })])),
  note: shortText(PUBLISH_NOTE_MAX_CHARS).optional(),
  accept: Accept.default([]),
})

// These types only announce an archive. Its bytes decide which kind of archive it is.
const ARCHIVE_TYPES: readonly string[] = [
  'application/zip',
  'application/x-zip-compressed',
  'application/vnd.agent-skill+zip',
  'application/gzip',
  'application/x-gzip',
  'application/x-tar+gzip',
  'application/octet-stream',
]

/**
 * Reads JSON, a form, or an archive (with `?note=` and `?accept=`), according to the Content-Type. Failures:
 * `unsupported_media_type`, `too_large`, `bad_json`, `invalid_request`, `invalid_archive`.
 */
export async function readSkillUpload(
  request: Request,
  reportProgress: () => boolean,
): Promise<Result<SkillUpload>> {
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const isJson = type === 'application/json'
  if (isJson || type === 'multipart/form-data') {
    const query = new URL(request.url).searchParams
    const misplaced = ['note', 'accept'].find((name) => query.has(name))
    if (misplaced !== undefined)
      return invalidField(misplaced, 'belongs in the body; it is accepted in the query only with an archive')
  }
  if (isJson) return fromJson(request, reportProgress)
  const refusal = encodingRefusal(request.headers)
  if (refusal !== null) return fail('unsupported_media_type', refusal)
  if (type === 'multipart/form-data') return readSkillForm(request, reportProgress)
  if (ARCHIVE_TYPES.includes(type)) return fromArchive(request, reportProgress)
  return fail(
    'unsupported_media_type',
    `Send a skill as application/json, as multipart/form-data, or as an archive: ${ARCHIVE_TYPES.join(', ')}.`,
  )
}

async function fromJson(request: Request, reportProgress: () => boolean): Promise<Result<SkillUpload>> {
  const body = await readJson(request, PublishBody, PUBLISH_BODY_MAX_BYTES, reportProgress)
  if (!body.ok) return body
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [path, content] of Object.entries(body.value.data.files)) {
    const bytes = typeof content === 'string' ? utf8(content) : fromBase64(content.base64)
    if (!bytes)
      return fail('invalid_request', `The file ${JSON.stringify(path.slice(0, 200))} is not base64.`, {
        errors: [{ path: `files.${path}.base64`, message: 'must be padded standard base64' }],
      })
    files.set(path, bytes)
  }
  const { note = null, accept } = body.value.data
  return ok({ files, note, accept })
}

async function fromArchive(request: Request, reportProgress: () => boolean): Promise<Result<SkillUpload>> {
  const note = readNoteQuery(request)
  if (!note.ok) return note
  const accept = parseAcceptField(new URL(request.url).searchParams.get('accept'))
  if (!accept.ok) return accept
  const blocks = await readBlocks(request, reportProgress)
  if (!blocks.ok) return blocks
  const files = await unpackBlocks(blocks.value)
  return files.ok ? ok({ files: files.value, note: note.value, accept: accept.value }) : files
}

/** The note from `?note=`, for requests without a JSON or form body. */
export function readNoteQuery(request: Request): Result<string | null> {
  const note = new URL(request.url).searchParams.get('note')
  if (note === null || codePoints(note) <= PUBLISH_NOTE_MAX_CHARS) return ok(note)
  return invalidField('note', `must have at most ${PUBLISH_NOTE_MAX_CHARS} characters`)
}

/** Reads the body into blocks. Nothing else refers to its buffers, so the blocks can release them. */
async function readBlocks(request: Request, reportProgress: () => boolean): Promise<Result<Blocks>> {
  const parts = await readParts(request, ARCHIVE_BODY_MAX_BYTES, reportProgress)
  return parts.ok ? ok(new Blocks(parts.value)) : parts
}
