// Calls for time, randomness, memory and exit, and stubs for missing features: network, other programs and timers.

import { startProgram } from './children.ts'
import { mix } from './mix.ts'
import { ERRNO, negativeErrno } from '../wasm/errno.ts'
import { integer } from '../wasm/guest-numbers.ts'
import { Exit } from '../wasm/stop.ts'
import { sqliteRequest } from './sqlite/request.ts'

import type { Calls, Current } from './calls.ts'

/** The error code of getaddrinfo for a name that cannot be resolved. */
const NO_NAME = -4
/**
 * boot/ calls the C library's `system` with these prefixes to sleep, to start a program, to compute a part of scrypt,
 * to set the umask, and to report why the script failed. Scripts get a different `os.system`.
 */
const SLEEP = ' sleep '
const START = ' start '
const SCRYPT = ' scrypt '
/** A request of boot/_sqlite3/host.py. */
const SQLITE = ' sqlite'
const UMASK = ' umask '
const OUT_OF_MEMORY = ' out of memory'
const SLEEP_MAX_MS = 3_600_000
/** Maximum bytes returned by one call of getentropy; callers repeat the call for more. */
const PAGE = 65_536

export interface Rest {
  /** Calls a function of the guest's table. */
  invoke(pointer: number, argument: number): void
  /** Set only while the image is built. */
  readonly onResolution: (() => void) | null
}

export function restCalls(current: Current, rest: Rest): Calls {
  return {
    _Py_CheckEmscriptenSignals_Helper: () => current().meter.check(),
    _Py_emscripten_runtime: () => 0,
    __call_sighandler: (pointer: number, signal: number) => {
      current().meter.hostFrames += 1
      try {
        rest.invoke(pointer, signal)
      } finally {
        current().meter.hostFrames -= 1
      }
    },
    exit: (code: number) => {
      throw new Exit(code)
    },
    proc_exit: (code: number) => {
      throw new Exit(code)
    },
    _abort_js: () => {
      throw new Exit(134)
    },
    environ_sizes_get: (count: number, bytes: number) => {
      const { memory, startEnv } = current()
      memory.setU32(count, startEnv.length)
      memory.setU32(
        bytes,
        startEnv.reduce((sum, line) => sum + line.length + 1, 0),
      )
      return 0
    },
    environ_get: (list: number, buffer: number) => {
      const { memory, startEnv } = current()
      let at = buffer
      for (const [index, line] of startEnv.entries()) {
        memory.setU32(list + index * 4, at)
        at += memory.setText(at, line)
      }
      return 0
    },
    random_get: (into: number, length: number) => {
      for (let at = 0; at < length; at += PAGE)
        current().random(current().memory.bytes.subarray(into + at, into + Math.min(length, at + PAGE)))
      return 0
    },
    emscripten_get_heap_max: () => current().heapBytes,
    emscripten_resize_heap: (wanted: number) => {
      const { memory, heapBytes, sqliteGrowthBytes } = current()
      const bytes = wanted >>> 0
      const maxBytes = heapBytes - sqliteGrowthBytes
      if (bytes <= maxBytes && memory.grow(Math.min(maxBytes, Math.max(bytes, memory.bytes.length * 1.2))))
        return 1
      current().refusedMemory = true
      return 0
    },
    _emscripten_runtime_keepalive_clear: () => {},
    _emscripten_system: async (command: number) => {
      const process = current()
      const { memory, meter } = process
      const text = command === 0 ? '' : (memory.text(command) ?? '')
      if (text.startsWith(SQLITE)) return sqliteRequest(process, text.slice(SQLITE.length))
      if (text.startsWith(SLEEP))
        return Number(await meter.sleep(Math.min(Number(text.slice(SLEEP.length)) * 1_000, SLEEP_MAX_MS)))
      if (text.startsWith(START)) return startProgram(process, text.slice(START.length))
      if (text.startsWith(SCRYPT)) return mix(process, text.slice(SCRYPT.length))
      if (text.startsWith(UMASK))
        process.umask = integer(Number(text.slice(UMASK.length)), 0, 0o777) ?? process.umask
      if (text === OUT_OF_MEMORY) process.refusedMemory = true
      return 0
    },
    ...timeCalls(current, rest),
    ...absentCalls(),
  }
}

function timeCalls(current: Current, rest: Rest): Calls {
  const writeDate = (seconds: bigint, into: number): void => {
    const date = new Date(Number(seconds) * 1_000)
    const year = date.getUTCFullYear()
    const { memory } = current()
    const fields = [
      date.getUTCSeconds(),
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth(),
      year - 1900,
      date.getUTCDay(),
      Math.floor((Number(seconds) * 1_000 - startOfYear(year)) / 86_400_000),
      0,
      0,
    ]
    for (const [index, field] of fields.entries()) memory.setU32(into + index * 4, field)
  }
  return {
    clock_res_get: (_clock: number, into: number) => {
      rest.onResolution?.()
      current().memory.setI64(into, 1_000_000)
      return 0
    },
    clock_time_get: (clock: number, _precision: bigint, into: number) => {
      if (clock < 0 || clock > 3) return ERRNO.INVAL
      const ms = clock === 0 ? current().now() : current().elapsed()
      current().memory.setI64(into, Math.round(ms * 1e6))
      return 0
    },
    emscripten_date_now: () => current().now(),
    emscripten_get_now: () => current().elapsed(),
    // The local time zone is UTC.
    _gmtime_js: writeDate,
    _localtime_js: writeDate,
    _mktime_js: (from: number) => {
      const { memory } = current()
      const field = (index: number): number => memory.i32(from + index * 4)
      const ms = utc(field(5) + 1900, field(4), field(3), field(2), field(1), field(0))
      if (Number.isNaN(ms)) return -1n
      writeDate(BigInt(ms / 1_000), from)
      return BigInt(ms / 1_000)
    },
    _tzset_js: (zone: number, daylight: number, standard: number, summer: number) => {
      const { memory } = current()
      memory.setU32(zone, 0)
      memory.setU32(daylight, 0)
      memory.setText(standard, 'UTC')
      memory.setText(summer, 'UTC')
    },
    _setitimer_js: () => 0,
  }
}

/** Like Date.UTC, except that years below 100 are taken literally. */
function utc(
  ...[year, month, day, hours, minutes, seconds]: readonly [number, number, number, number, number, number]
): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.setUTCHours(hours, minutes, seconds)
}

function startOfYear(year: number): number {
  return utc(year, 0, 1, 0, 0, 0)
}

const SOCKETS = [
  'accept4',
  'bind',
  'connect',
  'getpeername',
  'getsockname',
  'getsockopt',
  'listen',
  'recvfrom',
  'recvmsg',
]
const MORE_SOCKETS = ['sendmsg', 'sendto', 'socket']

function absentCalls(): Calls {
  const refuse = (): number => negativeErrno('NETUNREACH')
  return {
    ...Object.fromEntries([...SOCKETS, ...MORE_SOCKETS].map((name) => [`__syscall_${name}`, refuse])),
    getaddrinfo: () => NO_NAME,
    getnameinfo: () => NO_NAME,
    getprotobyname: () => 0,
    _emscripten_lookup_name: () => 0,
  }
}
