// `ln -s`, `readlink` and `realpath`. Links exist only during a call; bash/links.ts handles them at its end.

import { Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { transfersOf } from './destination.ts'
import { baseName, folderName, joinedPath, quotedName } from './names.ts'
import { complain } from './report.ts'

const LN = [
  { flags: '-s --symbolic' },
  { flags: '-f --force' },
  { flags: '-n --no-dereference' },
  { flags: '-t --target-directory', value: 'required' },
  { flags: '-T --no-target-directory' },
  { flags: '-v --verbose' },
  { flags: '-r --relative' },
  { flags: '-i --interactive', refused: 'ln without it; nobody can answer' },
  { flags: '-b', refused: 'ln without it' },
  { flags: '--backup', value: 'optional', refused: 'ln without it' },
  { flags: '-L --logical', refused: 'cp' },
  { flags: '-P --physical', refused: 'cp' },
] as const

export const ln: Command = {
  async run(io) {
    const parsed = parseOptions('ln', io.args, LN)
    if (!parsed.has('-s')) throw new Unsupported('ln without -s', 'ln -s, or cp')
    const [first, second] = parsed.operands
    if (first === undefined) throw usage('ln', 'missing file operand')
    const alone = second === undefined && !parsed.has('-t')
    // With -n, a link to a folder is replaced itself.
    const replaces =
      second !== undefined &&
      parsed.operands.length === 2 &&
      parsed.has('-n') &&
      (await io.files.lstat(second))?.kind === 'link'
    const transfers = alone
      ? [{ source: first, target: `./${baseName(first)}` }]
      : replaces
        ? [{ source: first, target: second }]
        : await transfersOf(io, parsed)
    let exitCode = 0
    for (const { source, target } of transfers) if (!(await linked(io, parsed, source, target))) exitCode = 1
    return exitCode
  },
}

async function linked(io: CommandIo, parsed: Parsed, source: string, target: string): Promise<boolean> {
  let text = source
  try {
    const there = await io.files.lstat(target)
    if (there?.kind === 'directory' && parsed.has('-f'))
      return complain(io, `${quotedName(target)}: cannot overwrite directory`)
    const isSame =
      io.files.resolve(source) === io.files.resolve(target) ||
      (there?.kind === 'file' && (await io.files.stat(source))?.inode === there.inode)
    if (there && parsed.has('-f') && isSame)
      return complain(io, `${quotedName(source)} and ${quotedName(target)} are the same file`)
    if (there && parsed.has('-f')) await io.files.remove(target)
    if (parsed.has('-r')) {
      const folder = await canonical(io, folderName(io.files.resolve(target)), 'nothing')
      text = relativePath(folder, await canonical(io, source, 'nothing'))
    }
    await io.files.link(text, target)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return complain(io, `failed to create symbolic link ${quotedName(target)}: ${error.message}`)
  }
  if (parsed.has('-v')) await io.stdout.write(`${quotedName(target)} -> ${quotedName(text)}\n`)
  return true
}

/** Which parts of a path must exist. */
type Existing = 'all' | 'folder' | 'nothing'

/** The path with all links resolved. Throws a `FileError`. */
async function canonical(io: CommandIo, path: string, existing: Existing): Promise<string> {
  const { files } = io
  const there = path === '' ? null : await files.stat(path)
  if (there) {
    if (path.endsWith('/') && there.kind !== 'directory' && existing !== 'nothing')
      throw new FileError('Not a directory')
    return files.realPath(path)
  }
  if (path === '' || existing === 'all') throw new FileError('No such file or directory')
  const absolute = files.resolve(path)
  const folder = folderName(absolute)
  // A dangling symbolic link.
  if ((await files.lstat(absolute))?.kind === 'link') {
    const target = await files.readLink(absolute)
    return canonical(io, target.startsWith('/') ? target : joinedPath(folder, target), existing)
  }
  const above = await files.stat(folder)
  if (above && above.kind !== 'directory' && existing === 'folder') throw new FileError('Not a directory')
  if (!above && existing === 'folder') throw new FileError('No such file or directory')
  return joinedPath(await canonical(io, folder, existing), baseName(absolute))
}

const READLINK = [
  { flags: '-f --canonicalize' },
  { flags: '-e --canonicalize-existing' },
  { flags: '-m --canonicalize-missing' },
  { flags: '-n --no-newline' },
  { flags: '-q -s --quiet --silent' },
  { flags: '-v --verbose' },
  { flags: '-z --zero' },
] as const

export const readlink: Command = {
  async run(io) {
    const parsed = parseOptions('readlink', io.args, READLINK)
    if (parsed.operands.length === 0) throw usage('readlink', 'missing operand')
    const kind = parsed.last('-f', '-e', '-m')
    const existing: Existing = kind === '-e' ? 'all' : kind === '-m' ? 'nothing' : 'folder'
    const end = parsed.has('-n') && parsed.operands.length === 1 ? '' : parsed.has('-z') ? '\0' : '\n'
    let exitCode = 0
    for (const path of parsed.operands)
      try {
        const found = kind === undefined ? await io.files.readLink(path) : await canonical(io, path, existing)
        await io.stdout.write(found + end)
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        if (parsed.has('-v')) await complain(io, `${path}: ${error.message}`)
        exitCode = 1
      }
    return exitCode
  },
}

const REALPATH = [
  { flags: '-e --canonicalize-existing' },
  { flags: '-m --canonicalize-missing' },
  { flags: '-s --strip --no-symlinks' },
  { flags: '-L --logical', refused: 'realpath -s' },
  { flags: '-P --physical' },
  { flags: '-q --quiet' },
  { flags: '-z --zero' },
  { flags: '--relative-to', value: 'required' },
  { flags: '--relative-base', value: 'required' },
] as const

export const realpath: Command = {
  async run(io) {
    const parsed = parseOptions('realpath', io.args, REALPATH)
    if (parsed.operands.length === 0) throw usage('realpath', 'missing operand')
    const kind = parsed.last('-e', '-m')
    const existing: Existing = kind === '-e' ? 'all' : kind === '-m' ? 'nothing' : 'folder'
    const real = async (path: string): Promise<string> => {
      const found = await canonical(io, path, existing)
      return parsed.has('-s') ? io.files.resolve(path) : found
    }
    const base = parsed.value('--relative-base')
    const to = parsed.value('--relative-to') ?? base
    let exitCode = 0
    for (const path of parsed.operands)
      try {
        const found = await real(path)
        const from = to === undefined ? null : await real(to)
        const within = base === undefined ? null : await real(base)
        const relative = from !== null && (within === null || (isIn(found, within) && isIn(from, within)))
        await io.stdout.write(
          (relative ? relativePath(from, found) : found) + (parsed.has('-z') ? '\0' : '\n'),
        )
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        if (!parsed.has('-q')) await complain(io, `${path === '' ? "''" : path}: ${error.message}`)
        exitCode = 1
      }
    return exitCode
  },
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function relativePath(from: string, to: string): string {
  const [one, other] = [from, to].map((path) => path.split('/').filter((part) => part !== ''))
  if (!one || !other) return to
  let common = 0
  while (common < one.length && one[common] === other[common]) common++
  const parts = [...one.slice(common).map(() => '..'), ...other.slice(common)]
  return parts.length === 0 ? '.' : parts.join('/')
}
