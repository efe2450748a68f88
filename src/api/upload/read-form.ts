// Reads a form of files for a thread's `uploads/`, one file after another. All are written or none.

import { cutText } from '../../lib/text.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FILE_INLINE_MAX_BYTES } from '../../limits/files.ts'
import { PAIR_KEY_MAX_CHARS } from '../../limits/requests.ts'
import { FORM_FILES_MAX_BYTES, FORM_INLINE_MAX_BYTES, FORM_LINES_MAX_BYTES } from './limits.ts'
import { filePath } from '../../files/path.ts'
import type { FilePut } from '../../thread/api.ts'
import { announcedBytes, tooLarge } from '../bodies/body.ts'
import { BodyBlocks } from './body-blocks.ts'
import { FormParts, type FormEvent } from './form-parts.ts'
import { IncomingFile, type Destination } from './incoming-file.ts'

const FIELD = /^files?(?:\[\])?$/

const BODY_MAX_BYTES = FORM_FILES_MAX_BYTES + FORM_LINES_MAX_BYTES

/** The writes for the files of a form; large ones are already in the store. Rejects when the store fails. */
export async function readForm(request: Request, to: Destination): Promise<Result<readonly FilePut[]>> {
  if (announcedBytes(request) > BODY_MAX_BYTES) return tooLarge(BODY_MAX_BYTES)
  const blocks = new BodyBlocks(request, BODY_MAX_BYTES)
  const parts = new FormParts(request.headers.get('Content-Type') ?? '')
  const files = new FormFiles(to)
  try {
    for (;;) {
      const block = await blocks.next(files.held)
      if (!block.ok) return block
      const events = block.value ? parts.write(block.value) : parts.end()
      if (!events.ok) return events
      for (const event of events.value) {
        const taken = blocks.counted(await files.take(event))
        if (!taken.ok) return taken
      }
      if (!block.value) return files.end()
    }
  } finally {
    blocks.close()
    await files.abort()
  }
}

class FormFiles {
  readonly #to: Destination
  readonly #puts: FilePut[] = []
  #open: { readonly path: string; readonly file: IncomingFile } | null = null
  #bytes = 0
  #inline = 0

  constructor(to: Destination) {
    this.#to = to
  }

  /** Of all files in memory (bytes). */
  get held(): number {
    return this.#inline + (this.#open?.file.held ?? 0)
  }

  async take(event: FormEvent): Promise<Result<unknown>> {
    if (event.type === 'part') return this.#begin(event.field, event.name)
    if (!this.#open) return ok(null)
    const { path, file } = this.#open
    if (event.type === 'bytes') {
      this.#bytes += event.piece.length
      if (this.#bytes > FORM_FILES_MAX_BYTES) return tooLarge(FORM_FILES_MAX_BYTES)
      return file.write(event.piece)
    }
    const body = await file.end()
    if (!body.ok) return body
    this.#open = null
    this.#inline += body.value.data?.length ?? 0
    this.#puts.push({ path, body: body.value, rename: true })
    return ok(null)
  }

  #begin(field: string, name: string | null): Result<null> {
    const at = cutText(field, PAIR_KEY_MAX_CHARS)
    if (!FIELD.test(field)) return refuse(at, 'is not a field of this request; files come as files[]')
    if (name === null) return refuse(at, "must be a file with a name: curl -F 'files[]=@data.csv'")
    // Clients send names, or local paths whose last segment is meant. Trailing spaces are dropped; systems put other space
    // characters into names themselves.
    const last = (name.split(/[/\\]/).at(-1) ?? '').replace(/\p{Zs}/gu, ' ').trim()
    // Browsers send a field without a chosen file like this.
    if (last === '') return refuse(at, 'has no file, or one without a name: choose one, or leave it out')
    const path = filePath(`uploads/${last}`)
    if (!path.ok) return refuse(at, `has an invalid name. ${path.error}`)
    const inlineMax = Math.min(FILE_INLINE_MAX_BYTES, FORM_INLINE_MAX_BYTES - this.#inline)
    this.#open = { path: path.value, file: new IncomingFile(this.#to, null, inlineMax) }
    return ok(null)
  }

  end(): Result<readonly FilePut[]> {
    return this.#puts.length > 0 ? ok(this.#puts) : refuse('files[]', 'is missing: send at least one file')
  }

  async abort(): Promise<void> {
    await this.#open?.file.abort()
  }
}

function refuse(field: string, message: string): Result<never> {
  const ended = message.endsWith('.') ? message : `${message}.`
  return fail('invalid_request', `The form is not valid. ${field}: ${ended}`, {
    errors: [{ path: field, message }],
  })
}
