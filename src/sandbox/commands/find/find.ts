// `find`: walks folders in byte order of their names; links are never followed. The expression may start commands and
// delete files.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { complain, type Entry, type Walk } from './entry.ts'
import { parseExpression, type Expression } from './expression.ts'

export const find: Command = {
  starts: true,
  async run(io) {
    const { starts, words } = split(io)
    const nowMs = io.now()
    const expression = await parseExpression(io, words, nowMs)
    const walk: Walk = { io, nowMs, exitCode: 0, pruned: false, over: false }
    for (const start of starts) {
      if (walk.over) break
      const status = await io.files.lstat(start)
      if (status) await visit({ path: start, start, depth: 0, status }, expression, walk)
      else await complain(walk, `‘${start}’: No such file or directory`)
    }
    for (const finish of expression.unfinished) await finish(walk)
    return walk.exitCode
  },
}

/** `find [options] [paths] [expression]`; without paths, `.`. */
function split({ args }: CommandIo): {
  readonly starts: readonly string[]
  readonly words: readonly string[]
} {
  let at = 0
  for (; /^-(?:[HLPD]|O.*|-)$/.test(args[at] ?? ''); at++) {
    const option = args[at] ?? ''
    if (option === '-L' || option === '-H')
      throw new Unsupported(`find ${option}`, 'find without it; links are not followed')
    if (option === '-D') throw new Unsupported('find -D', 'find without it')
    if (option === '--') {
      at++
      break
    }
  }
  const from = at
  while (at < args.length && !/^(?:-.+|[(),!])$/s.test(args[at] ?? '')) at++
  const starts = args.slice(from, at)
  return { starts: starts.length === 0 ? ['.'] : starts, words: args.slice(at) }
}

async function visit(entry: Entry, expression: Expression, walk: Walk): Promise<void> {
  const { depthFirst, minDepth, maxDepth, predicate } = expression
  const test = async (): Promise<void> => {
    if (entry.depth >= minDepth && !walk.over) await predicate(entry, walk)
  }
  walk.pruned = false
  if (!depthFirst) await test()
  const enters = entry.status.kind === 'directory' && entry.depth < maxDepth
  if (enters && !walk.over && (depthFirst || !walk.pruned)) await visitNames(entry, expression, walk)
  if (depthFirst) await test()
}

async function visitNames(folder: Entry, expression: Expression, walk: Walk): Promise<void> {
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
    const status = await files.lstat(path)
    if (status) await visit({ path, start: folder.start, depth: folder.depth + 1, status }, expression, walk)
  }
}
