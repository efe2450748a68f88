// Functions of the host engine that QuickJS lacks: text encoding, URLs, digests, compression, Intl, and error
// messages of the JSON parser. Their results depend only on their arguments.

import { NODE_JSON_MESSAGE_CHARS, NODE_URL_MAX_CHARS } from './limits.ts'
import { bytesOf } from './call.ts'
import { intlCall } from './calls-intl.ts'

import type { CallResult, HostCall } from './call.ts'
import type { NodeRun } from './node-run.ts'
import type { Value } from './values.ts'

const DIGESTS: Readonly<Record<string, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}
/** Steps charged for each byte of work. */
const STEPS_PER_BYTE = 1 / 4
/** How many bytes are compressed before the isolate yields. */
const CHUNK_BYTES = 262_144
const URL_PARTS = [
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

export function textCalls(run: NodeRun): Record<string, HostCall> {
  const withCharge = (call: HostCall): HostCall => {
    return (...args) => {
      for (const arg of args)
        if (typeof arg === 'string' || arg instanceof Uint8Array)
          run.meter.charge(Math.ceil(arg.length * STEPS_PER_BYTE))
      return call(...args)
    }
  }
  const calls: Record<string, HostCall> = {
    encode: (text) => bytesOf(text),
    decode: (label, mode, data) => decodeBytes(String(label), Number(mode), bytesOf(data)),
    digest: async (name, data) => digestBytes(run, String(name), bytesOf(data)),
    url: (href, base) => parseUrl(String(href), typeof base === 'string' ? base : undefined),
    urlSet: (href, part, value) => changeUrl(String(href), String(part), String(value)),
    squeeze: async (format, data) =>
      transformBytes(run, new CompressionStream(formatOf(format)), bytesOf(data)),
    unsqueeze: async (format, data) =>
      transformBytes(run, new DecompressionStream(formatOf(format)), bytesOf(data)),
    jsonMessage: (text) => jsonMessage(String(text)),
    intl: (request) => intlCall(String(request)),
  }
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, withCharge(call)]))
}

function decodeBytes(label: string, mode: number, bytes: Uint8Array): CallResult {
  try {
    return new TextDecoder(label, { fatal: (mode & 1) !== 0, ignoreBOM: (mode & 2) !== 0 }).decode(bytes)
  } catch (error) {
    const isUnknownEncoding = error instanceof RangeError
    return {
      failed: isUnknownEncoding
        ? { code: 'ERR_ENCODING_NOT_SUPPORTED', message: `The "${label}" encoding is not supported` }
        : {
            code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
            message: `The encoded data was not valid for encoding ${label}`,
          },
    }
  }
}

async function digestBytes(run: NodeRun, name: string, bytes: Uint8Array): Promise<CallResult> {
  const algorithm = DIGESTS[name.toLowerCase().replace('-', '')]
  if (algorithm === undefined)
    return { failed: { code: 'ERR_OSSL_EVP_UNSUPPORTED', message: 'Digest method not supported' } }
  return new Uint8Array(await run.meter.within(crypto.subtle.digest(algorithm, bytes)))
}

function parseUrl(href: string, base: string | undefined): CallResult {
  try {
    if (href.length > NODE_URL_MAX_CHARS) throw new TypeError('The URL is too long.')
    return partsOf(base === undefined ? new URL(href) : new URL(href, base))
  } catch {
    return { failed: { code: 'ERR_INVALID_URL', message: 'Invalid URL' } }
  }
}

function changeUrl(href: string, part: string, value: string): CallResult {
  const url = new URL(href)
  const settablePart = URL_PARTS.find((name) => name === part)
  try {
    if (settablePart !== undefined && settablePart !== 'origin') url[settablePart] = value
  } catch {
    return { failed: { code: 'ERR_INVALID_URL', message: 'Invalid URL' } }
  }
  return partsOf(url)
}

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(URL_PARTS.map((part) => [part, url[part]])))
}

function formatOf(format: Value | undefined): 'gzip' | 'deflate' | 'deflate-raw' {
  return format === 'gzip' || format === 'deflate-raw' ? format : 'deflate'
}

/**
 * Compresses or decompresses bytes. The output is limited to the memory of a guest, because a small archive may unpack
 * to a lot of data.
 */
async function transformBytes(
  run: NodeRun,
  stream: ReadableWritablePair,
  bytes: Uint8Array,
): Promise<CallResult> {
  const chunks: Uint8Array[] = []
  let length = 0
  const writer = stream.writable.getWriter()
  const write = async (): Promise<void> => {
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      run.meter.charge(CHUNK_BYTES)
      await run.meter.check()
      await writer.write(bytes.subarray(from, from + CHUNK_BYTES))
    }
    await writer.close()
  }
  // If writing fails, the reader fails with the same error, and `within` reports limits.
  write().catch(() => {})
  const reader = stream.readable.getReader()
  try {
    for (;;) {
      const { done, value } = await run.meter.within(reader.read())
      if (done) break
      // The cast is safe: these streams yield bytes.
      const chunk = value as Uint8Array
      length += chunk.length
      run.meter.charge(chunk.length)
      if (length > run.tree.quota.maxMemoryBytes) {
        await reader.cancel()
        return {
          failed: {
            code: 'ERR_BUFFER_TOO_LARGE',
            message: `Cannot create a Buffer larger than ${run.tree.quota.maxMemoryBytes} bytes`,
          },
        }
      }
      chunks.push(chunk)
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { failed: { code: 'Z_DATA_ERROR', message: 'incorrect header check' } }
  }
  const output = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    output.set(chunk, offset)
    offset += chunk.length
  }
  return output
}

/**
 * The host engine's message for invalid JSON, because QuickJS has a different message. Empty if the text is valid.
 */
function jsonMessage(text: string): string {
  try {
    if (text.length <= NODE_JSON_MESSAGE_CHARS) JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
