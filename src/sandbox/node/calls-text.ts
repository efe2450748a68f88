// Functions of the host engine that QuickJS lacks: text encoding, URLs, digests, compression, Intl, and error
// messages of the JSON parser. Their results depend only on their arguments.

import { NODE_JSON_MESSAGE_CHARS, NODE_URL_MAX_CHARS } from './limits.ts'
import { bytesOf } from './call.ts'
import { intlCall } from './calls-intl.ts'

import type { CallResult, HostCall } from './call.ts'
import type { Room } from './surroundings.ts'
import type { Value } from './values.ts'

const DIGESTS: Readonly<Record<string, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}
/** Steps charged for each byte of work. */
const STEPS_A_BYTE = 1 / 4
/** How many bytes are compressed before the isolate yields. */
const PIECE = 262_144
const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

export function textCalls(room: Room): Record<string, HostCall> {
  const charged = (call: HostCall): HostCall => {
    return (...args) => {
      for (const arg of args)
        if (typeof arg === 'string' || arg instanceof Uint8Array)
          room.meter.charge(Math.ceil(arg.length * STEPS_A_BYTE))
      return call(...args)
    }
  }
  const calls: Record<string, HostCall> = {
    encode: (text) => bytesOf(text),
    decode: (label, mode, data) => decoded(String(label), Number(mode), bytesOf(data)),
    digest: async (name, data) => digested(room, String(name), bytesOf(data)),
    url: (href, base) => address(String(href), typeof base === 'string' ? base : undefined),
    urlSet: (href, part, value) => changed(String(href), String(part), String(value)),
    squeeze: async (format, data) => squeezed(room, new CompressionStream(formatOf(format)), bytesOf(data)),
    unsqueeze: async (format, data) =>
      squeezed(room, new DecompressionStream(formatOf(format)), bytesOf(data)),
    jsonMessage: (text) => jsonMessage(String(text)),
    intl: (request) => intlCall(String(request)),
  }
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, charged(call)]))
}

function decoded(label: string, mode: number, bytes: Uint8Array): CallResult {
  try {
    return new TextDecoder(label, { fatal: (mode & 1) !== 0, ignoreBOM: (mode & 2) !== 0 }).decode(bytes)
  } catch (error) {
    const known = error instanceof RangeError
    return {
      failed: known
        ? { code: 'ERR_ENCODING_NOT_SUPPORTED', message: `The "${label}" encoding is not supported` }
        : {
            code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
            message: `The encoded data was not valid for encoding ${label}`,
          },
    }
  }
}

async function digested(room: Room, name: string, bytes: Uint8Array): Promise<CallResult> {
  const algorithm = DIGESTS[name.toLowerCase().replace('-', '')]
  if (algorithm === undefined)
    return { failed: { code: 'ERR_OSSL_EVP_UNSUPPORTED', message: 'Digest method not supported' } }
  return new Uint8Array(await room.meter.within(crypto.subtle.digest(algorithm, bytes)))
}

function address(href: string, base: string | undefined): CallResult {
  try {
    if (href.length > NODE_URL_MAX_CHARS) throw new TypeError('The URL is too long.')
    return partsOf(base === undefined ? new URL(href) : new URL(href, base))
  } catch {
    return { failed: { code: 'ERR_INVALID_URL', message: 'Invalid URL' } }
  }
}

function changed(href: string, part: string, value: string): CallResult {
  const url = new URL(href)
  const known = PARTS.find((name) => name === part)
  try {
    if (known !== undefined && known !== 'origin') url[known] = value
  } catch {
    return { failed: { code: 'ERR_INVALID_URL', message: 'Invalid URL' } }
  }
  return partsOf(url)
}

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, url[part]])))
}

function formatOf(format: Value | undefined): 'gzip' | 'deflate' | 'deflate-raw' {
  return format === 'gzip' || format === 'deflate-raw' ? format : 'deflate'
}

/**
 * Collects the output of `stream`, limited to the memory of a guest, because a small archive may unpack to a
 * lot.
 */
async function squeezed(room: Room, stream: ReadableWritablePair, bytes: Uint8Array): Promise<CallResult> {
  const pieces: Uint8Array[] = []
  let length = 0
  const writer = stream.writable.getWriter()
  const write = async (): Promise<void> => {
    for (let from = 0; from < bytes.length; from += PIECE) {
      room.meter.charge(PIECE)
      await room.meter.check()
      await writer.write(bytes.subarray(from, from + PIECE))
    }
    await writer.close()
  }
  const wrote = write()
  // The reader fails with the same error, and `within` reports limits.
  wrote.catch(() => {})
  const reader = stream.readable.getReader()
  try {
    for (;;) {
      const { done, value } = await room.meter.within(reader.read())
      if (done) break
      // The cast is safe: these streams yield bytes.
      const piece = value as Uint8Array
      length += piece.length
      room.meter.charge(piece.length)
      if (length > room.tree.quota.maxMemoryBytes) {
        await reader.cancel()
        return {
          failed: {
            code: 'ERR_BUFFER_TOO_LARGE',
            message: `Cannot create a Buffer larger than ${room.tree.quota.maxMemoryBytes} bytes`,
          },
        }
      }
      pieces.push(piece)
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { failed: { code: 'Z_DATA_ERROR', message: 'incorrect header check' } }
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/**
 * The host engine's message for invalid JSON, because that of QuickJS differs. Empty if the text is valid.
 */
function jsonMessage(text: string): string {
  try {
    if (text.length <= NODE_JSON_MESSAGE_CHARS) JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
