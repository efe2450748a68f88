// Text handling for scripts that set the locale C, in which each byte that is not ASCII is a character of its own.

import { bytesOfLatin1, latin1Of } from './latin1.ts'
import { decode, encode } from './text.ts'

const NOT_ASCII = /[\x80-\xff]/g

type Environment = Readonly<Record<string, string>>

/** Whether a character is a byte in this environment (locale C). */
export function countsBytes(env: Environment): boolean {
  return /^(?:C|POSIX)$/.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '')
}

/**
 * Returns a decoder for the locale. In the locale C, every byte that is not ASCII is escaped as io/text.ts escapes
 * invalid ones.
 */
export function decoderFor(env: Environment): (bytes: Uint8Array) => string {
  return countsBytes(env)
    ? (bytes) =>
        latin1Of(bytes).replace(NOT_ASCII, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)))
    : decode
}

/** Converts an argument for the locale. */
export function textFor(env: Environment, text: string): string {
  return countsBytes(env) ? decoderFor(env)(encode(text)) : text
}

/** Like `textFor`, but for a line of bytes given as Latin-1 text. */
export function lineFor(env: Environment, line: string): string {
  return decoderFor(env)(bytesOfLatin1(line))
}

/** Converts a Perl pattern so that escaped bytes (`\xE9`) match these bytes in the locale C. */
export function perlPatternFor(env: Environment, pattern: string): string {
  if (!countsBytes(env)) return pattern
  return textFor(env, pattern).replace(
    /\\(?:x([89a-fA-F][\da-fA-F])|x\{([89a-fA-F][\da-fA-F])\}|\\)/g,
    (whole, two?: string, braced?: string) => {
      const digits = two ?? braced
      return digits === undefined ? whole : String.fromCharCode(0xdc00 + Number.parseInt(digits, 16))
    },
  )
}
