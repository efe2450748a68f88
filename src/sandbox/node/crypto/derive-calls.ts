// Guest calls that derive keys from passwords.

import { hkdfSync } from 'node:crypto'

import { bytesOf } from '../call/call.ts'
import { NODE_HEAP_MAX_BYTES } from '../../limits.ts'
import { NODE_FILES_MAX_BYTES, NODE_PLATFORM_INPUT_MAX_BYTES, NODE_SCRYPT_BYTES } from '../call/limits.ts'
import { failed, failedBy } from '../call/handles.ts'
import { derivedLength, tooLong } from './lengths.ts'
import { integer } from '../../wasm/guest-numbers.ts'
import { PLATFORM_PIECES } from '../../wasm/work.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { mixBlocks } from '../../wasm/scrypt.ts'

import type { CallResult, HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'
import type { Value } from '../call/values.ts'

const ROUNDS_MAX = 2 ** 31 - 1
/** Node's maximum for the product of r and p. */
const SCRYPT_MAX = 2 ** 30 - 1
/** Node's maximum for `info`, which HKDF reads for each block of the result. */
const HKDF_INFO_MAX_BYTES = 1_024
/** Steps charged for HKDF, whose longest result takes about 1 ms. */
const HKDF_STEPS = 500_000

export function deriveCalls(run: NodeRun): Record<string, HostCall> {
  /** The argument at `index` is the length of the result. */
  const withLength =
    (
      index: number,
      derive: (length: number, ...args: readonly (Value | undefined)[]) => Promise<CallResult>,
    ): HostCall =>
    (...args) => {
      const length = derivedLength(args[index])
      return length === null ? tooLong(args[index]) : derive(length, ...args)
    }
  return {
    pbkdf2: withLength(3, async (length, password, salt, given, _, digest) => {
      const rounds = integer(given, 1, ROUNDS_MAX)
      if (rounds === null) return failed('ERR_OUT_OF_RANGE', `Invalid number of iterations: ${String(given)}`)
      const derived = await pbkdf2(
        { password: bytesOf(password), salt: bytesOf(salt), rounds, length, digest: String(digest) },
        run.meter,
      )
      return derived ?? failed('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${String(digest)}`)
    }),
    scrypt: withLength(5, async (length, password, salt, ...params) => {
      const [N, r, p] = params.slice(0, 3).map((value) => integer(value, 1, SCRYPT_MAX) ?? 0)
      if (!N || !r || !p || (N & (N - 1)) !== 0)
        return failed('ERR_CRYPTO_INVALID_SCRYPT_PARAMS', 'Invalid scrypt params')
      const { bytes, cachedBytes } = run.tree.quota
      const needed = 128 * r * (N + p)
      const unused = NODE_HEAP_MAX_BYTES + NODE_FILES_MAX_BYTES - run.usedBytes() - bytes - cachedBytes
      const free = Math.max(NODE_SCRYPT_BYTES, unused)
      if (needed > free)
        return failed(
          'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
          `scrypt with N=${N} and r=${r} needs ${needed} bytes of memory, and ${free} are free: use a smaller N`,
        )
      const once = { password: bytesOf(password), rounds: 1, digest: 'sha256' }
      const blocks = await pbkdf2({ ...once, salt: bytesOf(salt), length: 128 * r * p }, run.meter)
      if (!blocks) return undefined
      await mixBlocks(blocks, N, r, run.meter)
      return (await pbkdf2({ ...once, salt: blocks, length }, run.meter)) ?? undefined
    }),
    hkdf: withLength(4, async (length, digest, ...inputs) => {
      const [key, salt, info] = inputs.map(bytesOf)
      const inputBytes = (key?.length ?? 0) + (salt?.length ?? 0)
      if (!key || !salt || !info || info.length > HKDF_INFO_MAX_BYTES)
        return failed('ERR_OUT_OF_RANGE', `"info" must not contain more than ${HKDF_INFO_MAX_BYTES} bytes`)
      if (inputBytes > NODE_PLATFORM_INPUT_MAX_BYTES)
        return failed(
          'ERR_OUT_OF_RANGE',
          `hkdf takes a key and a salt of up to ${NODE_PLATFORM_INPUT_MAX_BYTES} bytes here, not ${inputBytes}: pass a digest of it`,
        )
      await run.meter.spend(HKDF_STEPS + Math.ceil(inputBytes * PLATFORM_PIECES.stepsPerByte))
      try {
        return new Uint8Array(hkdfSync(String(digest), key, salt, info, length))
      } catch (error) {
        return failedBy(error, 'ERR_CRYPTO_INVALID_DIGEST')
      }
    }),
  }
}
