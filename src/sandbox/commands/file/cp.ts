// `cp` and `install`: copy files and folders.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { transfersOf } from './destination.ts'
import { modeChange } from './mode.ts'
import { baseName, folderName, joinedPath, quotedName } from './names.ts'
import { complain, reported } from './report.ts'

const NO_QUESTIONS = 'cp without it; nobody can answer'
const OPTIONS = [
  { flags: '-a --archive' },
  { flags: '-d' },
  { flags: '-f --force' },
  { flags: '-L --dereference' },
  { flags: '-n --no-clobber' },
  { flags: '-P --no-dereference' },
  { flags: '-p' },
  { flags: '--preserve', value: 'optional' },
  { flags: '--no-preserve', value: 'required' },
  { flags: '-R -r --recursive' },
  { flags: '-t --target-directory', value: 'required' },
  { flags: '-T --no-target-directory' },
  { flags: '-u --update' },
  { flags: '-v --verbose' },
  { flags: '-x --one-file-system' },
  { flags: '--reflink', value: 'optional' },
  { flags: '--sparse', value: 'required' },
  { flags: '--remove-destination' },
  { flags: '-H', refused: 'cp -R' },
  { flags: '-b', refused: 'cp of the old file before it' },
  { flags: '--backup', value: 'optional', refused: 'cp of the old file before it' },
  { flags: '-S --suffix', value: 'required', refused: 'cp of the old file before it' },
  { flags: '-i --interactive', refused: NO_QUESTIONS },
  { flags: '-l --link', refused: 'cp, which copies' },
  { flags: '-s --symbolic-link', refused: 'cp, which copies' },
  { flags: '--parents', refused: 'mkdir -p before cp' },
  { flags: '--attributes-only', refused: 'cp --preserve' },
  { flags: '--strip-trailing-slashes', refused: 'names without slashes at the end' },
  { flags: '-Z --context', value: 'optional', refused: 'cp without it' },
] as const

interface Rules {
  readonly keepsTime: boolean
  /** If true, an existing file keeps its mode. Otherwise a new file has its source's mode without the umask. */
  readonly keepsMode: boolean
  readonly recursive: boolean
  readonly keepsLinks: boolean
  readonly onlyNew: boolean
  readonly onlyNewer: boolean
  readonly says: boolean
}

export const cp: Command = {
  async run(io) {
    const parsed = parseOptions('cp', io.args, OPTIONS)
    const preserve = parsed.value('--preserve')
    const rules: Rules = {
      keepsTime:
        parsed.has('-a') ||
        parsed.has('-p') ||
        (preserve !== undefined && /^$|timestamps|all/.test(preserve)),
      keepsMode:
        parsed.has('-a') || parsed.has('-p') || (preserve !== undefined && /^$|mode|all/.test(preserve)),
      recursive: parsed.has('-R') || parsed.has('-a'),
      keepsLinks:
        !parsed.has('-L') && (parsed.has('-R') || parsed.has('-a') || parsed.has('-d') || parsed.has('-P')),
      onlyNew: parsed.has('-n'),
      onlyNewer: parsed.has('-u'),
      says: parsed.has('-v'),
    }
    let exitCode = 0
    for (const { source, target } of await transfersOf(io, parsed))
      if (!(await copied(io, rules, source, target))) exitCode = 1
    return exitCode
  },
}

async function copied(io: CommandIo, rules: Rules, source: string, target: string): Promise<boolean> {
  const { files } = io
  const status = rules.keepsLinks ? await files.lstat(source) : await files.stat(source)
  if (!status) return complain(io, `cannot stat ${quotedName(source)}: No such file or directory`)
  const there = await files.stat(target)
  if (status.kind === 'directory') return copiedFolder(io, rules, source, target, status, there)
  if (there?.kind === 'directory')
    return complain(io, `cannot overwrite directory ${quotedName(target)} with non-directory`)
  const replaced = status.kind === 'link' ? await files.lstat(target) : null
  const isOwnLink =
    replaced?.inode === status.inode ||
    (replaced?.kind === 'file' && (await files.stat(source))?.inode === there?.inode)
  if ((there?.inode === status.inode || isOwnLink) && !source.startsWith('/dev/'))
    return complain(io, `${quotedName(source)} and ${quotedName(target)} are the same file`)
  if (!there && status.kind !== 'link' && (await files.lstat(target)))
    return complain(io, `not writing through dangling symlink ${quotedName(target)}`)
  if (there && (rules.onlyNew || (rules.onlyNewer && there.mtimeMs >= status.mtimeMs))) return true
  const done = await reported(io, `cannot create regular file ${quotedName(target)}`, async () =>
    copyFile(io, rules, source, target, status, there),
  )
  if (done && rules.says) await io.stdout.write(`${quotedName(source)} -> ${quotedName(target)}\n`)
  return done
}

async function copyFile(
  io: CommandIo,
  rules: Rules,
  source: string,
  target: string,
  status: FileStatus,
  there: FileStatus | null,
): Promise<void> {
  const { files } = io
  if (status.kind === 'link') {
    if (await files.lstat(target)) await files.remove(target)
    return files.link(await files.readLink(source), target)
  }
  if (files.resolve(source).startsWith('/dev/') || files.resolve(target).startsWith('/dev/')) {
    const writer = await files.create(target)
    await writer.write(await readAll(await files.open(source)))
    return writer.flush()
  }
  await files.copy(source, target)
  if (!rules.keepsMode) await files.setMode(target, there?.mode ?? status.mode & ~files.umask)
  await files.setTime(target, rules.keepsTime ? status.mtimeMs : io.now())
}

/** The real path of the existing part; the rest is kept as written. */
async function pathWithoutLinks(io: CommandIo, path: string): Promise<string> {
  if (await io.files.stat(path)) return io.files.realPath(path)
  const folder = folderName(path)
  return joinedPath(folder === path ? folder : await pathWithoutLinks(io, folder), baseName(path))
}

async function copiedFolder(
  io: CommandIo,
  rules: Rules,
  source: string,
  target: string,
  status: FileStatus,
  there: FileStatus | null,
): Promise<boolean> {
  const { files } = io
  if (!rules.recursive) return complain(io, `-r not specified; omitting directory ${quotedName(source)}`)
  if (there && there.kind !== 'directory')
    return complain(
      io,
      `cannot overwrite non-directory ${quotedName(target)} with directory ${quotedName(source)}`,
    )
  const [from, to] = [await files.realPath(source), await pathWithoutLinks(io, target)]
  if (to === from || to.startsWith(from === '/' ? '/' : `${from}/`)) {
    if (to === from) return complain(io, `${quotedName(source)} and ${quotedName(target)} are the same file`)
    return complain(io, `cannot copy a directory, ${quotedName(source)}, into itself, ${quotedName(target)}`)
  }
  if (!there) {
    const made = await reported(io, `cannot create directory ${quotedName(target)}`, async () =>
      files.makeDirectory(target),
    )
    if (!made) return false
    await files.setMode(target, rules.keepsMode ? status.mode : status.mode & ~files.umask)
    if (rules.says) await io.stdout.write(`${quotedName(source)} -> ${quotedName(target)}\n`)
  }
  let done = true
  for (const name of await files.list(source))
    if (!(await copied(io, rules, joinedPath(source, name), joinedPath(target, name)))) done = false
  if (rules.keepsTime) await files.setTime(target, status.mtimeMs)
  return done
}

const INSTALL = [
  { flags: '-d --directory' },
  { flags: '-D' },
  { flags: '-m --mode', value: 'required' },
  { flags: '-p --preserve-timestamps' },
  { flags: '-t --target-directory', value: 'required' },
  { flags: '-T --no-target-directory' },
  { flags: '-v --verbose' },
  { flags: '-c' },
  { flags: '-C --compare', refused: 'cmp before it' },
  { flags: '-b', refused: 'cp of the old file before it' },
  { flags: '--backup', value: 'optional', refused: 'cp of the old file before it' },
  { flags: '-o --owner', value: 'required', refused: 'install without it; there is one user' },
  { flags: '-g --group', value: 'required', refused: 'install without it; there is one user' },
  { flags: '-s --strip', refused: 'install without it' },
  { flags: '-S --suffix', value: 'required', refused: 'cp of the old file before it' },
] as const
const RUNNABLE = '755'

export const install: Command = {
  async run(io) {
    const parsed = parseOptions('install', io.args, INSTALL)
    const text = parsed.value('-m') ?? RUNNABLE
    const change = modeChange(text, io.files.umask)
    if (!change) throw new Failed(`invalid mode ${quotedName(text)}`)
    const mode = change(0, parsed.has('-d'))
    if (parsed.has('-d')) return installFolders(io, parsed, mode)
    if (parsed.has('-D')) {
      const [, target] = parsed.operands
      const folder = parsed.value('-t') ?? (target === undefined ? '.' : folderName(target))
      await io.files.makeDirectory(folder, { parents: true })
    }
    const rules: Rules = {
      keepsTime: parsed.has('-p'),
      keepsMode: false,
      recursive: false,
      keepsLinks: false,
      onlyNew: false,
      onlyNewer: false,
      says: parsed.has('-v'),
    }
    let exitCode = 0
    for (const { source, target } of await transfersOf(io, parsed)) {
      if ((await io.files.stat(source))?.kind === 'directory')
        throw new Unsupported(`install of a folder (${baseName(source)})`, 'cp -r')
      if (await copied(io, rules, source, target)) await io.files.setMode(target, mode)
      else exitCode = 1
    }
    return exitCode
  },
}

async function installFolders(io: CommandIo, parsed: Parsed, mode: number): Promise<number> {
  const make = async (path: string): Promise<void> => {
    if (await io.files.stat(path)) return
    if (folderName(path) !== path) await make(folderName(path))
    await io.files.makeDirectory(path)
    if (parsed.has('-v')) await io.stdout.write(`install: creating directory ${quotedName(path)}\n`)
  }
  let exitCode = 0
  for (const path of parsed.operands)
    if (await reported(io, `cannot create directory ${quotedName(path)}`, async () => make(path)))
      await io.files.setMode(path, mode)
    else exitCode = 1
  return exitCode
}
