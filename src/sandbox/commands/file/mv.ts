// `mv`: moves and renames files and folders.

import type { Command, CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { transfersOf } from './destination.ts'
import { quotedName } from './names.ts'
import { complain } from './report.ts'

const OPTIONS = [
  { flags: '-f --force' },
  { flags: '-n --no-clobber' },
  { flags: '-u --update' },
  { flags: '-v --verbose' },
  { flags: '-t --target-directory', value: 'required' },
  { flags: '-T --no-target-directory' },
  { flags: '-i --interactive', refused: 'mv without it; nobody can answer' },
  { flags: '-b', refused: 'cp of the old file before it' },
  { flags: '--backup', value: 'optional', refused: 'cp of the old file before it' },
  { flags: '-S --suffix', value: 'required', refused: 'cp of the old file before it' },
  { flags: '--strip-trailing-slashes', refused: 'names without slashes at the end' },
  { flags: '-Z --context', refused: 'mv without it' },
] as const

export const mv: Command = {
  async run(io) {
    const parsed = parseOptions('mv', io.args, OPTIONS)
    let exitCode = 0
    for (const { source, target } of await transfersOf(io, parsed))
      if (!(await moved(io, parsed, source, target))) exitCode = 1
    return exitCode
  },
}

async function moved(io: CommandIo, parsed: Parsed, source: string, target: string): Promise<boolean> {
  const { files } = io
  const [from, to] = [quotedName(source), quotedName(target)]
  const status = await files.lstat(source)
  if (!status) return complain(io, `cannot stat ${from}: No such file or directory`)
  const there = await files.lstat(target)
  const [fromPath, toPath] = [files.resolve(source), files.resolve(target)]
  const isSame =
    fromPath === toPath ||
    // A link cannot be replaced by the file that it points to.
    (status.kind === 'link' && there?.kind === 'file' && (await files.stat(source))?.inode === there.inode)
  if (there && isSame && parsed.last('-n', '-f') === '-n' && fromPath !== toPath) return true
  if (there && isSame) return complain(io, `${from} and ${to} are the same file`)
  if (status.kind === 'directory' && toPath.startsWith(`${fromPath}/`))
    return complain(io, `cannot move ${from} to a subdirectory of itself, ${to}`)
  if (there) {
    if (parsed.last('-n', '-f') === '-n' || (parsed.has('-u') && there.mtimeMs >= status.mtimeMs)) return true
    if (status.kind === 'directory' && there.kind !== 'directory')
      return complain(io, `cannot overwrite non-directory ${to} with directory ${from}`)
    if (status.kind !== 'directory' && there.kind === 'directory')
      return complain(io, `cannot overwrite directory ${to} with non-directory`)
    if (there.kind === 'directory' && (await files.list(target)).length > 0)
      return complain(io, `cannot move ${from} to ${to}: Directory not empty`)
  } else if (target.endsWith('/') && status.kind !== 'directory')
    return complain(io, `cannot move ${from} to ${to}: Not a directory`)
  try {
    if (there?.kind === 'directory') await files.remove(target)
    await files.rename(source, target)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return complain(io, `cannot move ${from} to ${to}: ${error.message}`)
  }
  if (parsed.has('-v')) await io.stdout.write(`renamed ${from} -> ${to}\n`)
  return true
}
