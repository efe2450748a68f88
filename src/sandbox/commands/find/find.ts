// `find`: walks folders in byte order of their names, and follows links with -L. The expression may run commands and
// delete files.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError, type FileStatus } from '../io/files.ts'
import { complain, type Entry, type Walk } from './entry.ts'
import { parseExpression, type Expression } from './expression.ts'

export const find: Command = {
  starts: true,
  async run(io) {
    const { starts, words, follows } = split(io)
    const nowMs = io.now()
    const expression = await parseExpression(io, words, nowMs)
    const walk: Walk = { io, nowMs, exitCode: 0, pruned: false, over: false, follows: follows === 'all' }
    for (const start of starts) {
      if (walk.over) break
      const status = await statusOf(io, start, follows !== 'none' || start.endsWith('/'))
      if (status) await visit({ path: start, start, depth: 0, status }, expression, walk, [])
      else await complain(walk, `‘${start}’: No such file or directory`)
    }
    for (const finish of expression.unfinished) await finish(walk)
    return walk.exitCode
  },
}

/** Splits `find [options] [paths] [expression]`. The default path is `.`. */
function split({ args }: CommandIo): {
  readonly starts: readonly string[]
  readonly words: readonly string[]
  /** `-L`, `-H` and `-P`. */
  readonly follows: 'all' | 'starts' | 'none'
} {
  let follows: 'all' | 'starts' | 'none' = 'none'
  let at = 0
  for (; /^-(?:[HLPD]|O.*|-)$/.test(args[at] ?? ''); at++) {
    const option = args[at] ?? ''
    if (option === '-L') follows = 'all'
    else if (option === '-H') follows = 'starts'
    else if (option === '-P') follows = 'none'
    if (option === '-D') throw new Unsupported('find -D', 'find without it')
    if (option === '--') {
      at++
      break
    }
  }
  const from = at
  while (at < args.length && !/^(?:-.+|[(),!])$/s.test(args[at] ?? '')) at++
  const starts = args.slice(from, at)
  return { starts: starts.length === 0 ? ['.'] : starts, words: args.slice(at), follows }
}

/** The status of a file. With `follow`, of a link's target, or of the link itself if it has no target. */
async function statusOf({ files }: CommandIo, path: string, follow: boolean): Promise<FileStatus | null> {
  if (!follow) return files.lstat(path)
  try {
    return (await files.stat(path)) ?? (await files.lstat(path))
  } catch (error) {
    // The links form a cycle.
    if (error instanceof FileError) return files.lstat(path)
    throw error
  }
}

/** Visits an entry and its contents. `above` identifies the enclosing folders. */
async function visit(
  entry: Entry,
  expression: Expression,
  walk: Walk,
  above: readonly number[],
): Promise<void> {
  const { depthFirst, minDepth, maxDepth, predicate } = expression
  const test = async (): Promise<void> => {
    if (entry.depth >= minDepth && !walk.over) await predicate(entry, walk)
  }
  walk.pruned = false
  if (!depthFirst) await test()
  const { inode } = entry.status
  if (walk.follows && entry.status.kind === 'directory' && above.includes(inode))
    throw new Unsupported(`find -L with a link to a folder around it (${entry.path})`, 'find without -L')
  const enters = entry.status.kind === 'directory' && entry.depth < maxDepth
  if (enters && !walk.over && (depthFirst || !walk.pruned))
    await visitNames(entry, expression, walk, [...above, inode])
  if (depthFirst) await test()
}

async function visitNames(
  folder: Entry,
  expression: Expression,
  walk: Walk,
  above: readonly number[],
): Promise<void> {
  const { files } = walk.io
  let names: readonly string[]
  try {
    names = await files.list(folder.path)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return complain(walk, `‘${folder.path}’: ${error.message}`)
  }
  for (const name of names) {
    if (walk.over) return
    const path = folder.path.endsWith('/') ? folder.path + name : `${folder.path}/${name}`
    const status = await statusOf(walk.io, path, walk.follows)
    if (status)
      await visit({ path, start: folder.start, depth: folder.depth + 1, status }, expression, walk, above)
  }
}
