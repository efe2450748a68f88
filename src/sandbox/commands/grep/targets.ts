// The files that `grep` searches: its operands and, with -r, everything below them.

import type { CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { wildcard } from '../wildcard.ts'
import type { GrepOptions } from './options.ts'

export interface Target {
  /** The path as it is printed; null for standard input. */
  readonly path: string | null
}

type Complain = (path: string, message: string) => Promise<void>

/** Maximum depth of folders. Deeper folders mean a loop of links. */
const DEPTH = 60

export async function* targetsOf(
  io: CommandIo,
  options: GrepOptions,
  complain: Complain,
): AsyncGenerator<Target> {
  const { operands, folders } = options
  const recurses = folders === 'recurse' || folders === 'follow'
  const accepts = nameTest(options)
  const acceptsFolder = folderTest(options)
  async function* below(folder: string, prefix: string, depth: number): AsyncGenerator<Target> {
    for (const name of await io.files.list(folder)) {
      const path = prefix + name
      const status = await io.files.lstat(path)
      if (!status) continue
      const isFollowed = status.kind === 'link' && folders === 'follow'
      const kind = isFollowed ? ((await io.files.stat(path))?.kind ?? 'link') : status.kind
      if (kind === 'directory') {
        if (!acceptsFolder(name)) continue
        if (depth > DEPTH) await complain(path, 'recursive directory loop')
        else yield* below(path, `${path}/`, depth + 1)
      } else if (kind === 'file' && accepts(name)) yield { path }
    }
  }
  for (const operand of operands.length > 0 ? operands : recurses ? ['.'] : ['-']) {
    if (operand === '-') {
      if (accepts('-')) yield { path: null }
      continue
    }
    const isImplied = operands.length === 0
    try {
      const status = await io.files.stat(operand)
      if (status?.kind !== 'directory') {
        if (status && !accepts(operand)) continue
        if (!status)
          await complain(
            operand,
            operand.endsWith('/') && (await io.files.stat(operand.replace(/\/+$/, '')))
              ? 'Not a directory'
              : 'No such file or directory',
          )
        else yield { path: operand }
      } else if (recurses) {
        const bare = operand.replace(/(?<=[^/])\/+$/, '')
        if (isImplied || acceptsFolder(bare))
          yield* below(operand, isImplied ? '' : bare.endsWith('/') ? bare : `${bare}/`, 0)
      } else if (folders === 'read' && accepts(operand)) {
        await complain(operand, 'Is a directory')
        if (options.report === 'count' || options.report === 'without') yield { path: operand }
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await complain(operand, error.message)
    }
  }
}

/** The last matching rule decides. If none matches, a file is searched unless the first rule is an `--include`. */
function nameTest({ nameRules }: GrepOptions): (name: string) => boolean {
  const rules = nameRules.map(({ include, pattern }) => ({ include, fits: wildcard(pattern) }))
  return (name) => {
    const last = rules.findLast(({ fits }) => suffixesOf(name).some(fits))
    return last ? last.include : rules[0]?.include !== true
  }
}

function folderTest({ folderRules }: GrepOptions): (name: string) => boolean {
  const rules = folderRules.map(wildcard)
  return (name) => !rules.some((fits) => suffixesOf(name).some(fits))
}

/** The name, and each part of an operand that follows a `/`. */
function suffixesOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(at).join('/')).filter((suffix, at) => at === 0 || suffix !== '')
}
