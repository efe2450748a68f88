// Determines the targets of `cp`, `mv`, `ln` and `install`: inside a folder, or under a new name.

import { Failed, type CommandIo, usage } from '../command.ts'
import type { Parsed } from '../options.ts'
import { baseName, joinedPath, quotedName } from './names.ts'

export interface Transfer {
  readonly source: string
  readonly target: string
}

/** Handles `-t FOLDER`, `-T` and a folder as the last operand. */
export async function transfersOf(io: CommandIo, parsed: Parsed): Promise<readonly Transfer[]> {
  const { name } = io
  const folder = parsed.value('-t')
  const [first, second, extra] = parsed.operands
  if (first === undefined) throw usage(name, 'missing file operand')
  const into = (target: string, sources: readonly string[]): readonly Transfer[] =>
    sources.map((source) => ({ source, target: joinedPath(target, baseName(source)) }))
  if (folder !== undefined) {
    if (parsed.has('-T'))
      throw usage(name, 'cannot combine --target-directory (-t) and --no-target-directory (-T)')
    await mustBeFolder(io, folder, 'target directory')
    return into(folder, parsed.operands)
  }
  if (second === undefined) throw usage(name, `missing destination file operand after ${quotedName(first)}`)
  const target = parsed.operands.at(-1) ?? ''
  const sources = parsed.operands.slice(0, -1)
  if (parsed.has('-T')) {
    if (extra !== undefined) throw usage(name, `extra operand ${quotedName(extra)}`)
    return [{ source: first, target: second }]
  }
  const status = await io.files.stat(target)
  if (status?.kind === 'directory') return into(target, sources)
  if (sources.length > 1) await mustBeFolder(io, target, 'target')
  return [{ source: first, target }]
}

async function mustBeFolder(io: CommandIo, path: string, what: string): Promise<void> {
  const status = await io.files.stat(path)
  if (status?.kind === 'directory') return
  throw new Failed(`${what} ${quotedName(path)}: ${status ? 'Not a directory' : 'No such file or directory'}`)
}
