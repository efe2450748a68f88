// The actions of find: print, run a command, delete.

import { Failed, Unsupported } from '../command.ts'
import { FileError } from '../io/files.ts'
import { baseOf, complain, type Predicate, type Walk } from './entry.ts'
import { formatOf } from './printf.ts'

/** Maximum bytes of the arguments of one command of `-exec … +`. */
const BATCH_BYTES = 129_024

export interface Exec {
  readonly predicate: Predicate
  /** Runs the command for the remaining files. */
  readonly finish: ((walk: Walk) => Promise<void>) | null
}

export const print: Predicate = async ({ path }, { io }) => {
  await io.stdout.write(`${path}\n`)
  return true
}

export const print0: Predicate = async ({ path }, { io }) => {
  await io.stdout.write(`${path}\0`)
  return true
}

export function printf(format: string): Predicate {
  const shown = formatOf(format)
  return async (entry, walk) => {
    await walk.io.stdout.write(await shown(entry, walk))
    return true
  }
}

export const remove: Predicate = async ({ path }, walk) => {
  if (path === '.') return true
  try {
    await walk.io.files.remove(path)
    return true
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await complain(walk, `cannot delete ‘${path}’: ${error.message}`)
    return false
  }
}

/** Implements `-exec COMMAND … ;` and `-execdir`. `words` are the arguments before the semicolon. */
export function execEach(words: readonly string[], inFolder: boolean): Exec {
  if (words.length === 0) throw new Failed(`missing argument to \`${inFolder ? '-execdir' : '-exec'}'`)
  return {
    finish: null,
    predicate: async ({ path }, { io }) => {
      const slash = path.replace(/\/+$/, '').lastIndexOf('/')
      const folder = slash <= 0 ? (slash === 0 ? '/' : '.') : path.slice(0, slash)
      const named = inFolder ? `./${baseOf(path)}` : path
      const argv = words.map((word) => word.replaceAll('{}', () => named))
      return (await io.exec(argv, inFolder ? { cwd: io.files.resolve(folder) } : {})) === 0
    },
  }
}

/** Implements `-exec COMMAND … {} +`. */
export function execMany(words: readonly string[]): Exec {
  if (words.some((word) => word.includes('{}')))
    throw new Failed('Only one instance of {} is supported with -exec ... +')
  let waiting: string[] = []
  let bytes = 0
  const run = async (walk: Walk): Promise<void> => {
    if (waiting.length === 0) return
    const argv = [...words, ...waiting]
    waiting = []
    bytes = 0
    if ((await walk.io.exec(argv)) !== 0) walk.exitCode = 1
  }
  return {
    finish: run,
    predicate: async ({ path }, walk) => {
      if (bytes + path.length > BATCH_BYTES) await run(walk)
      waiting.push(path)
      bytes += path.length + 9
      return true
    },
  }
}

const REFUSED_ACTIONS: Readonly<Record<string, string>> = {
  '-ok': '-exec',
  '-okdir': '-execdir',
  '-ls': '-printf, or -exec stat -c FORMAT {} +',
  '-fls': '-printf',
  '-fprint': '-print and > FILE',
  '-fprint0': '-print0 and > FILE',
  '-fprintf': '-printf and > FILE',
}

export function refusedAction(name: string): Unsupported | null {
  const instead = Object.hasOwn(REFUSED_ACTIONS, name) ? REFUSED_ACTIONS[name] : undefined
  return instead === undefined ? null : new Unsupported(`find ${name}`, instead)
}
