// Functions of the host engine that QuickJS lacks or would be slow at: text encoding, URLs, Intl, and error
// messages of the JSON parser. Their results depend only on their arguments.

import { Buffer } from 'node:buffer'

import { NODE_JSON_MESSAGE_CHARS, NODE_URL_MAX_CHARS } from './call/limits.ts'
import { bytesOf } from './call/call.ts'
import { intlCall } from './calls-intl.ts'

import type { CallResult, HostCall } from './call/call.ts'
import type { NodeRun } from './call/node-run.ts'
import type { Value } from './call/values.ts'

/** Steps charged for each byte of work. */
const STEPS_PER_BYTE = 1 / 4
/** Creating a formatter takes about 0.5 ms. */
const FORMATTER_STEPS = 250_000
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
    bufferText: (encoding, data) => bufferOver(bytesOf(data)).toString(bufferEncoding(encoding)),
    bufferBytes: (encoding, text) => new Uint8Array(Buffer.from(String(text), bufferEncoding(encoding))),
    url: (href, base) => parseUrl(String(href), typeof base === 'string' ? base : undefined),
    urlSet: (href, part, value) => changeUrl(String(href), String(part), String(value)),
    jsonMessage: (text) => jsonMessage(String(text)),
    intl: (request) => intlCall(String(request), () => run.meter.charge(FORMATTER_STEPS)),
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

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The encodings whose loops would be slow in QuickJS. */
function bufferEncoding(encoding: Value | undefined): BufferEncoding {
  const name = String(encoding)
  return name === 'hex' || name === 'base64' || name === 'base64url' || name === 'utf16le' ? name : 'latin1'
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
