// Reads a form with files for a thread's `uploads/`, one file at a time. Either all files are written or none.

import { cutText } from '../../lib/text.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import { PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'
import {
  FORM_FILES_TOTAL_MAX_BYTES,
  FORM_INLINE_FILES_TOTAL_MAX_BYTES,
  FORM_HEADERS_MAX_BYTES,
} from './limits.ts'
import { filePath } from '../../files/path.ts'
import type { FilePut } from '../../thread/files-api.ts'
import { announcedBytes, tooLarge } from '../bodies/body.ts'
import { BodyBlocks } from './body-blocks.ts'
import { FormParts, type FormEvent } from './form-parts.ts'
import { IncomingFile, type Destination } from './incoming-file.ts'

const FILE_FIELD = /^files?(?:\[\])?$/

const BODY_MAX_BYTES = FORM_FILES_TOTAL_MAX_BYTES + FORM_HEADERS_MAX_BYTES

/** Returns a write for each file of the form. Large files are already in the store. Rejects if the store fails. */
export async function readForm(request: Request, target: Destination): Promise<Result<readonly FilePut[]>> {
  if (announcedBytes(request) > BODY_MAX_BYTES) return tooLarge(BODY_MAX_BYTES)
  const blocks = new BodyBlocks(request, BODY_MAX_BYTES)
  const parts = new FormParts(request.headers.get('Content-Type') ?? '')
  const files = new FormFiles(target)
  try {
    for (;;) {
      const block = await blocks.next(files.heldBytes)
      if (!block.ok) return block
      const events = block.value ? parts.write(block.value) : parts.end()
      if (!events.ok) return events
      for (const event of events.value) {
        const handled = blocks.markIfTooSlow(await files.handle(event))
        if (!handled.ok) return handled
      }
      if (!block.value) return files.end()
    }
  } finally {
    blocks.close()
    await files.abort()
  }
}

class FormFiles {
  readonly #target: Destination
  readonly #puts: FilePut[] = []
  #currentFile: { readonly path: string; readonly file: IncomingFile } | null = null
  #bytes = 0
  #inlineBytes = 0

  constructor(target: Destination) {
    this.#target = target
  }

  /** The memory that all files use, in bytes. */
  get heldBytes(): number {
    return this.#inlineBytes + (this.#currentFile?.file.heldBytes ?? 0)
  }

  async handle(event: FormEvent): Promise<Result<unknown>> {
    if (event.type === 'part') return this.#begin(event.field, event.name)
    if (!this.#currentFile) return ok(null)
    const { path, file } = this.#currentFile
    if (event.type === 'bytes') {
      this.#bytes += event.piece.length
      if (this.#bytes > FORM_FILES_TOTAL_MAX_BYTES) return tooLarge(FORM_FILES_TOTAL_MAX_BYTES)
      return file.write(event.piece)
    }
    const body = await file.end()
    if (!body.ok) return body
    this.#currentFile = null
    this.#inlineBytes += body.value.data?.length ?? 0
    this.#puts.push({ path, body: body.value, rename: true })
    return ok(null)
  }

  #begin(field: string, name: string | null): Result<null> {
    const label = cutText(field, PAIR_KEY_MAX_CHARS)
    if (!FILE_FIELD.test(field)) return refuse(label, 'is not a field of this request; send files as files[]')
    if (name === null) return refuse(label, "must be a file with a name: curl -F 'files[]=@data.csv'")
    // Some clients send a local path, of which only the last segment is used. Some systems put special space characters into
    // names, which become ordinary spaces.
    const fileName = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Zs}/gu, ' ').trim()
    // Browsers send an empty name for a field in which no file was chosen.
    if (fileName === '') return refuse(label, 'has no file name: choose a file, or omit the field')
    const path = filePath(`uploads/${fileName}`)
    if (!path.ok) return refuse(label, `has an invalid name. ${path.error}`)
    const inlineMaxBytes = Math.min(
      FILE_INLINE_MAX_BYTES,
      FORM_INLINE_FILES_TOTAL_MAX_BYTES - this.#inlineBytes,
    )
    this.#currentFile = { path: path.value, file: new IncomingFile(this.#target, null, inlineMaxBytes) }
    return ok(null)
  }

  end(): Result<readonly FilePut[]> {
    return this.#puts.length > 0 ? ok(this.#puts) : refuse('files[]', 'is missing: send at least one file')
  }

  async abort(): Promise<void> {
    await this.#currentFile?.file.abort()
  }
}

function refuse(field: string, message: string): Result<never> {
  const sentence = message.endsWith('.') ? message : `${message}.`
  return fail('invalid_request', `The form is not valid. ${field}: ${sentence}`, {
    errors: [{ path: field, message }],
  })
}
