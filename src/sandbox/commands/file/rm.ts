// `rm`: removes files and, with -r, folders. It never asks.

import { Failed, Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { baseName, joinedPath, quotedName } from './names.ts'
import { complain, reported } from './report.ts'

const OPTIONS = [
  { flags: '-f --force' },
  { flags: '-r -R --recursive' },
  { flags: '-d --dir' },
  { flags: '-v --verbose' },
  { flags: '--preserve-root', value: 'optional' },
  { flags: '--one-file-system' },
  { flags: '-i', refused: 'rm without it; nobody can answer' },
  { flags: '-I', refused: 'rm without it; nobody can answer' },
  { flags: '--interactive', value: 'optional' },
  { flags: '--no-preserve-root', refused: 'rm without it' },
] as const

export const rm: Command = {
  async run(io) {
    const parsed = parseOptions('rm', io.args, OPTIONS)
    const asks = parsed.value('--interactive')
    if (asks !== undefined && asks !== 'never')
      throw new Unsupported('rm --interactive', 'rm without it; nobody can answer')
    if (parsed.operands.length === 0) {
      if (parsed.has('-f')) return 0
      throw usage('rm', 'missing operand')
    }
    let exitCode = 0
    for (const path of parsed.operands) if (!(await removed(io, parsed, path))) exitCode = 1
    return exitCode
  },
}

export const unlink: Command = {
  async run(io) {
    const { operands } = parseOptions('unlink', io.args, [])
    const [path, extra] = operands
    if (path === undefined) throw usage('unlink', 'missing operand')
    if (extra !== undefined) throw usage('unlink', `extra operand ‘${extra}’`)
    const status = path === '' ? null : await io.files.lstat(path)
    const problem =
      status === null ? 'No such file or directory' : status.kind === 'directory' ? 'Is a directory' : ''
    if (problem !== '') throw new Failed(`cannot unlink ${quotedName(path)}: ${problem}`)
    await io.files.remove(path)
    return 0
  },
}

async function removed(io: CommandIo, parsed: Parsed, path: string): Promise<boolean> {
  const name = quotedName(path)
  const status = path === '' ? null : await io.files.lstat(path)
  if (!status) return parsed.has('-f') || complain(io, `cannot remove ${name}: No such file or directory`)
  const isFolder = status.kind === 'directory'
  if (isFolder && !parsed.has('-r') && !parsed.has('-d'))
    return complain(io, `cannot remove ${name}: Is a directory`)
  if (isFolder && ['.', '..'].includes(baseName(path)))
    return complain(io, `refusing to remove '.' or '..' directory: skipping ${name}`)
  if (isFolder && io.files.resolve(path) === '/')
    return complain(
      io,
      "it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe",
    )
  if (status.kind === 'link' && path.endsWith('/') && parsed.has('-r'))
    throw new Unsupported(
      `rm -r of the link ${path}`,
      'rm of the link without the slash, or of the folder itself',
    )
  if (!isFolder && path.endsWith('/')) return complain(io, `cannot remove ${name}: Not a directory`)
  return removeTree(io, parsed, path, isFolder)
}

async function removeTree(io: CommandIo, parsed: Parsed, path: string, isFolder: boolean): Promise<boolean> {
  let emptied = true
  if (isFolder && parsed.has('-r'))
    for (const name of await io.files.list(path)) {
      const inner = joinedPath(path, name)
      const status = await io.files.lstat(inner)
      if (status && !(await removeTree(io, parsed, inner, status.kind === 'directory'))) emptied = false
    }
  if (!emptied) return false
  if (!(await reported(io, `cannot remove ${quotedName(path)}`, async () => io.files.remove(path))))
    return false
  if (parsed.has('-v')) await io.stdout.write(`removed ${isFolder ? 'directory ' : ''}${quotedName(path)}\n`)
  return true
}
