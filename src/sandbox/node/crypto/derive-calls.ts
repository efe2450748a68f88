// Guest calls that derive keys from passwords.

import { hkdfSync } from 'node:crypto'

import { pbkdf2 as pbkdf2Once } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'

import { bytesOf } from '../call/call.ts'
import { NODE_HEAP_MAX_BYTES } from '../../limits.ts'
import { NODE_FILES_MAX_BYTES, NODE_SCRYPT_BYTES } from '../call/limits.ts'
import { failed, failedBy } from '../call/handles.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { pauseAfter } from '../call/pieces.ts'
import { mixBlocks } from '../../wasm/scrypt.ts'

import type { HostCall } from '../call/call.ts'
import type { NodeRun } from '../call/node-run.ts'

/** PBKDF2 with one iteration, as scrypt uses it. The platform refuses long results. */
function once(password: Uint8Array, salt: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  return length === 0
    ? new Uint8Array(0)
    : new Uint8Array(pbkdf2Once(sha256, password, salt, { c: 1, dkLen: length }))
}

export function deriveCalls(run: NodeRun): Record<string, HostCall> {
  const pause = async (steps: number): Promise<void> => pauseAfter(run, steps)
  return {
    pbkdf2: async (password, salt, rounds, length, digest) => {
      const derived = await pbkdf2(
        {
          password: bytesOf(password),
          salt: bytesOf(salt),
          rounds: Number(rounds),
          length: Number(length),
          digest: String(digest),
        },
        pause,
      )
      return derived ?? failed('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${String(digest)}`)
    },
    scrypt: async (password, salt, N, r, p, length) => {
      const [cost, blockSize, parallel] = [Number(N), Number(r), Number(p)]
      const { bytes, cachedBytes } = run.tree.quota
      const needed = 128 * blockSize * (cost + parallel)
      const unused = NODE_HEAP_MAX_BYTES + NODE_FILES_MAX_BYTES - run.usedBytes() - bytes - cachedBytes
      const free = Math.max(NODE_SCRYPT_BYTES, unused)
      if (needed > free)
        return failed(
          'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
          `scrypt with N=${cost} and r=${blockSize} needs ${needed} bytes of memory, and ${free} are free: use a smaller N`,
        )
      const key = bytesOf(password)
      const blocks = once(key, bytesOf(salt), 128 * blockSize * parallel)
      await mixBlocks(blocks, cost, blockSize, pause)
      return once(key, blocks, Number(length))
    },
    hkdf: (digest, key, salt, info, length) => {
      try {
        return new Uint8Array(
          hkdfSync(String(digest), bytesOf(key), bytesOf(salt), bytesOf(info), Number(length)),
        )
      } catch (error) {
        return failedBy(error, 'ERR_CRYPTO_INVALID_DIGEST')
      }
    },
  }
}
