// Parses a multipart form as it arrives. The library multipasta finds boundaries and headers; this file interprets them and reports
// every error instead of ignoring invalid parts.

import { make as makeParser, type MultipartError, type Parser } from 'multipasta'
import { joinBytes } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FORM_FILES_MAX } from './limits.ts'
import { invalidField } from '../problems/field-errors.ts'

/** The beginning of a part, bytes of it, or its end. `piece` is valid as long as the block that contains it. */
export type FormEvent =
  | { readonly type: 'part'; readonly field: string; readonly name: string | null }
  | { readonly type: 'bytes'; readonly piece: Uint8Array }
  | { readonly type: 'end' }

const DASH = 0x2d
const INVALID_FORM = fail(
  'invalid_request',
  'The form cannot be parsed. Send it as valid multipart/form-data.',
)

export class FormParts {
  readonly #parser: Parser
  #events: FormEvent[] = []
  #failure: Result<never> | null = null
  #isDone = false
  /** Trailing dashes of a block, held back because the parser must see both dashes of the final boundary together. */
  #trailingDashes: Uint8Array = new Uint8Array()

  constructor(contentType: string) {
    this.#parser = makeParser({
      headers: { 'content-type': contentType },
      // This file classifies the parts by their headers, because the parser only supports Latin letters.
      isFile: () => true,
      maxParts: FORM_FILES_MAX,
      onFile: ({ headers }) => {
        const disposition = headers['content-disposition']
        // If a header arrives in two pieces, the parser may include the space before its value.
        const part = typeof disposition === 'string' ? partEvent(disposition.trim()) : null
        if (part) this.#events.push(part)
        else this.#failure ??= INVALID_FORM
        let isOpen = true
        return (piece) => {
          if (piece) this.#events.push({ type: 'bytes', piece })
          // The parser reports a part without a header as a second end of the part before it.
          else if (isOpen) this.#events.push({ type: 'end' })
          else this.#failure ??= INVALID_FORM
          if (!piece) isOpen = false
        }
      },
      // Called only for a header that does not end, because all other parts count as files.
      onField: () => (this.#failure ??= INVALID_FORM),
      onError: (error) => (this.#failure ??= messageFor(error)),
      onDone: () => (this.#isDone = true),
    })
  }

  /** Parses a block and returns its events. Ignores bytes after the end of the form. */
  write(block: Uint8Array): Result<readonly FormEvent[]> {
    const bytes = this.#trailingDashes.length > 0 ? joinBytes([this.#trailingDashes, block]) : block
    let end = bytes.length
    while (end > 0 && bytes.length - end < 2 && bytes[end - 1] === DASH) end -= 1
    this.#trailingDashes = bytes.slice(end)
    if (end > 0) this.#parse(bytes.subarray(0, end))
    return this.#takeEvents()
  }

  /** Call this at the end of the body. Fails if the form is incomplete. */
  end(): Result<readonly FormEvent[]> {
    if (this.#trailingDashes.length > 0) this.#parse(this.#trailingDashes)
    if (!this.#isDone && !this.#failure) this.#parser.end()
    if (!this.#isDone) this.#failure ??= messageFor({ _tag: 'EndNotReached' })
    return this.#takeEvents()
  }

  #parse(bytes: Uint8Array): void {
    if (this.#isDone || this.#failure) return
    this.#parser.write(bytes)
  }

  #takeEvents(): Result<readonly FormEvent[]> {
    if (this.#failure) return this.#failure
    const events = this.#events
    this.#events = []
    return ok(events)
  }
}

function messageFor(error: MultipartError): Result<never> {
  if (error._tag === 'EndNotReached')
    return invalidField('body', 'ended early', 'The form ended before its final boundary. Send it again.')
  if (error._tag === 'ReachedLimit' && error.limit === 'MaxParts')
    return fail(
      'too_large',
      `A form may have at most ${FORM_FILES_MAX} files. Send the others in another form.`,
    )
  if (error._tag === 'InvalidBoundary')
    return invalidField(
      'Content-Type',
      'has no boundary',
      'The Content-Type of the form has no boundary. Let your HTTP client set this header.',
    )
  return INVALID_FORM
}

const DISPOSITION = /^form-data(?:$|\s*;)/i
const NAME = parameter('name')
const FILENAME = parameter('filename')
const ENCODED_FILENAME = /;\s*filename\*\s*=\s*utf-8'[^';]*'([^\s;"]*)/i

function parameter(name: string): RegExp {
  return new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))`, 'i')
}

/** The name of the field, and the file name if the part is a file. Null if the header is invalid. */
function partEvent(header: string): FormEvent | null {
  if (!DISPOSITION.test(header)) return null
  const field = parameterValue(NAME.exec(header))
  if (field === null) return null
  const encoded = ENCODED_FILENAME.exec(header)?.[1]
  const name = encoded === undefined ? parameterValue(FILENAME.exec(header)) : decodePercent(encoded)
  return { type: 'part', field, name }
}

/**
 * Unescapes a parameter. Browsers encode quotes and line breaks as %22, %0D and %0A (WHATWG); other clients escape a quote with a
 * backslash. All other backslashes are literal.
 */
function parameterValue(match: RegExpExecArray | null): string | null {
  const text = match?.[1] ?? match?.[2]
  if (text === undefined) return null
  return text
    .replaceAll('\\"', '"')
    .replaceAll('%22', '"')
    .replaceAll(/%0D|%0A/gi, ' ')
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
