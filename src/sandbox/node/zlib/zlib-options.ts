// Checks the options of compression: a script may set only those that keep it quick and its memory small.

import { constants } from 'node:zlib'

import type { CallFailure } from '../call/errors.ts'
import type { Value } from '../call/values.ts'

export type ZlibOptions = Record<string, unknown>

const NAMES = ['flush', 'finishFlush', 'windowBits', 'level', 'memLevel', 'strategy', 'dictionary', 'params']
/** Compressors of zstd above this level would block the isolate. */
const ZSTD_MAX_LEVEL = 9
/** Allowed parameters of zstd. Others choose a slower compressor, or tables of gigabytes. */
const ZSTD_PARAMS = new Set(
  [
    constants.ZSTD_c_compressionLevel,
    constants.ZSTD_c_contentSizeFlag,
    constants.ZSTD_c_checksumFlag,
    constants.ZSTD_c_dictIDFlag,
  ].map(String),
)
/** The parameters that allow Brotli windows of up to a gigabyte. */
const LARGE_WINDOW: Readonly<Record<string, number>> = {
  BrotliCompress: constants.BROTLI_PARAM_LARGE_WINDOW,
  BrotliDecompress: constants.BROTLI_DECODER_PARAM_LARGE_WINDOW,
}

/** The options as JSON, or a failure that names what is not available. zlib checks the rest. */
export function checkedOptions(
  kind: string,
  json: Value | undefined,
): { readonly options: ZlibOptions } | { readonly failed: CallFailure } {
  // The cast is safe: every field is checked below, or by zlib.
  const given = JSON.parse(typeof json === 'string' ? json : '{}') as ZlibOptions
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => NAMES.includes(name)))
  const params = Object.entries((options['params'] ?? {}) as ZlibOptions)
  const level = params.find(([name]) => name === String(constants.ZSTD_c_compressionLevel))?.[1] ?? 3
  if (kind === 'ZstdCompress' && !(Number(level) <= ZSTD_MAX_LEVEL))
    return refused(`zstd compresses with levels up to ${ZSTD_MAX_LEVEL} here, not ${Number(level)}`)
  if (kind === 'ZstdCompress' && params.some(([name]) => !ZSTD_PARAMS.has(name)))
    return refused('zstd compresses with the level, checksumFlag, contentSizeFlag and dictIDFlag only here')
  if (params.some(([name, value]) => name === String(LARGE_WINDOW[kind]) && Boolean(value)))
    return refused('Brotli has no large window here: leave the parameter LARGE_WINDOW out')
  return { options }
}

function refused(message: string): { readonly failed: CallFailure } {
  return { failed: { code: 'ERR_OUT_OF_RANGE', message } }
}
