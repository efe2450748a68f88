// The calls that a guest may make, by name. Code in QuickJS can reach nothing else.

import { bytesOf } from './call/call.ts'
import { integer } from '../wasm/guest-numbers.ts'
import { Exit } from '../wasm/stop.ts'
import { fileCalls } from './calls-files.ts'
import { textCalls } from './calls-text.ts'
import { cipherCalls } from './crypto/cipher-calls.ts'
import { deriveCalls } from './crypto/derive-calls.ts'
import { hashCalls } from './crypto/hash-calls.ts'
import { keyCalls } from './crypto/key-calls.ts'
import { subtleCalls } from './crypto/subtle-calls.ts'
import { zlibCalls } from './zlib/zlib-calls.ts'

import type { CallFailure } from './call/errors.ts'
import type { CallResult, HostCall } from './call/call.ts'
import type { NodeRun } from './call/node-run.ts'
import type { Value } from './call/values.ts'

const EXIT_CODE_MAX = 0xffff_ffff
/** Random bytes of one call. */
const RANDOM_MAX_BYTES = 65_536

/**
 * Returns a function that handles the calls of a guest. A failed call returns null, and the operation `failure` then
 * returns its error as JSON.
 */
export function handleCalls(
  run: NodeRun,
): (operation: string, args: readonly Value[]) => Value | Promise<Value> {
  const calls = new Map<string, HostCall>(
    Object.entries({
      ...ownCalls(run),
      ...fileCalls(run),
      ...textCalls(run),
      ...hashCalls(run),
      ...cipherCalls(run),
      ...deriveCalls(run),
      ...keyCalls(run),
      ...subtleCalls(run),
      ...zlibCalls(run),
    }),
  )
  let failure: CallFailure = { code: 'EINVAL', message: '' }
  const toValue = (answer: CallResult): Value => {
    if (answer === null || typeof answer !== 'object' || answer instanceof Uint8Array) return answer
    failure = answer.failed
    return null
  }
  return (operation, args) => {
    if (operation === 'failure') return JSON.stringify(failure)
    const answer = calls.get(operation)?.(...args)
    return answer instanceof Promise ? answer.then(toValue) : toValue(answer)
  }
}

function ownCalls({ output, meter, elapsed, random, now }: NodeRun): Record<string, HostCall> {
  return {
    write: (stream, data) => {
      const bytes = bytesOf(data)
      meter.charge(bytes.length)
      output.write(stream === 2 ? 'stderr' : 'stdout', bytes)
    },
    exit: (code) => {
      throw new Exit(integer(code, -EXIT_CODE_MAX, EXIT_CODE_MAX) ?? 1)
    },
    elapsed: () => elapsed(),
    now: () => now(),
    random: (length) => {
      const bytes = new Uint8Array(integer(length, 0, RANDOM_MAX_BYTES) ?? 0)
      random(bytes)
      return bytes
    },
  }
}
