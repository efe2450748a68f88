// `tar`: creates, lists and extracts archives of files and folders, with or without gzip.

import { unpackTar, type ParsedTarEntryWithData } from 'modern-tar'

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { wildcard } from '../wildcard.ts'
import { isGzip, unpacked, UNPACKED_MAX } from './gzip-format.ts'
import { memberLine, writeArchive } from './tar-create.ts'
import { matchesMember, tarOptions, type TarOptions } from './tar-options.ts'

export const tar: Command = {
  async run(io) {
    const options = await tarOptions(io)
    return options.mode === 'create' || options.mode === 'append'
      ? writeArchive(io, options)
      : read(io, options)
  },
}

async function membersOf(io: CommandIo, { archive }: TarOptions): Promise<readonly ParsedTarEntryWithData[]> {
  let bytes: Uint8Array
  try {
    bytes = archive === '-' ? await readAll(io.stdin) : await io.files.read(archive)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new Failed(
      `${archive}: Cannot open: ${error.message}\ntar: Error is not recoverable: exiting now`,
      2,
    )
  }
  const plain = isGzip(bytes) ? unpacked(bytes, 'stdin') : bytes
  if (plain.length > UNPACKED_MAX)
    throw new Unsupported('tar of so large an archive', 'python3 with its module tarfile, in parts')
  try {
    return await unpackTar(plain, { strict: true })
  } catch {
    throw new Failed(
      'This does not look like a tar archive\ntar: Exiting with failure status due to previous errors',
      2,
    )
  }
}

async function read(io: CommandIo, options: TarOptions): Promise<number> {
  const found = new Set<string>()
  let exitCode = 0
  for (const folder of new Set([options.folder, ...options.names.map((name) => name.folder)]))
    if (options.mode === 'extract' && !(await io.files.stat(folder)))
      throw new Failed(
        `${folder.replace(/^\.\//, '')}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now`,
        2,
      )
  for (const member of await membersOf(io, options)) {
    const { name } = member.header
    const wanted = options.names.find((one) => selects(one.name, name, options.wildcards))
    if (options.names.length > 0 && !wanted) continue
    if (wanted) found.add(wanted.name)
    if (options.excluded.some((pattern) => matchesMember(pattern, name))) continue
    const shown = options.showsTransformed ? renamed(name, options) : name
    const line = `${options.verbose > (options.mode === 'list' ? 0 : 1) ? described(member, shown, options) : shown}\n`
    if (options.mode === 'list') await io.stdout.write(line)
    else {
      if (options.verbose > 0) await (options.toStdout ? io.stderr : io.stdout).write(line)
      if (!(await extract(io, member, options, wanted?.folder ?? options.folder))) exitCode = 2
    }
  }
  for (const { name } of options.names)
    if (!found.has(name)) {
      await io.stderr.write(`tar: ${name}: Not found in archive\n`)
      exitCode = 2
    }
  if (exitCode !== 0) await io.stderr.write('tar: Exiting with failure status due to previous errors\n')
  return exitCode
}

/** The member's name after `--transform`. */
function renamed(name: string, { transform }: TarOptions): string {
  return name.endsWith('/') ? `${transform(name.slice(0, -1))}/` : transform(name)
}

function selects(wanted: string, name: string, wildcards: boolean): boolean {
  if (wildcards && wildcard(wanted)(name)) return true
  const folder = `${wanted.replace(/\/$/, '')}/`
  return name === wanted || name === folder || name.startsWith(folder)
}

function extractedName(
  header: ParsedTarEntryWithData['header'],
  options: TarOptions,
): { readonly parts: readonly string[]; readonly name: string } {
  const parts = renamed(header.name, options)
    .replace(/^\/+/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  return { parts, name: parts.slice(options.stripped).join('/') }
}

/** Extracts a member. Returns whether it succeeded. */
async function extract(
  io: CommandIo,
  { header, data }: ParsedTarEntryWithData,
  options: TarOptions,
  folder: string,
): Promise<boolean> {
  const { parts, name } = extractedName(header, options)
  if (name === '') return true
  const fail = async (message: string): Promise<false> => {
    await io.stderr.write(`tar: ${header.name}: ${message}\n`)
    return false
  }
  if (parts.includes('..')) return fail("Member name contains '..'")
  const path = `${folder}/${name}`
  try {
    if (header.type === 'directory') {
      if (options.toStdout) return true
      await io.files.makeDirectory(path, { parents: true })
      return true
    }
    if (header.type !== 'file' && header.type !== 'symlink' && header.type !== 'link')
      throw new Unsupported('tar with devices', 'python3 with its module tarfile')
    if (options.toStdout) {
      await io.stdout.write(data ?? new Uint8Array())
      return true
    }
    if (options.keepsOldFiles && (await io.files.lstat(path))) return await fail('Cannot open: File exists')
    await io.files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { parents: true })
    if (header.type === 'link') {
      // Hard links do not exist here, so extract a copy of the other file.
      const other = { ...header, name: header.linkname ?? '' }
      await io.files.copy(`${folder}/${extractedName(other, options).name}`, path)
      return true
    }
    if (header.type === 'symlink') {
      if (await io.files.lstat(path)) await io.files.remove(path)
      await io.files.link(header.linkname ?? '', path)
      return true
    }
    await io.files.write(path, data ?? new Uint8Array())
    if (header.mode !== undefined) await io.files.setMode(path, header.mode & 0o777)
    if (header.mtime) await io.files.setTime(path, header.mtime.getTime())
    return true
  } catch (error) {
    if (error instanceof FileError) return fail(`Cannot open: ${error.message}`)
    throw error
  }
}

function described({ header }: ParsedTarEntryWithData, name: string, { numericOwner }: TarOptions): string {
  const { type, mode = 0, mtime, uname, gname, uid = 0, gid = 0, size, linkname } = header
  const kind =
    type === 'directory' ? 'directory' : type === 'symlink' ? 'link' : type === 'link' ? 'same' : 'file'
  const owner = { id: uid, name: numericOwner ? '' : (uname ?? '') }
  const group = { id: gid, name: numericOwner ? '' : (gname ?? '') }
  const target = kind === 'link' || kind === 'same' ? { target: linkname ?? '' } : {}
  const mtimeMs = mtime?.getTime() ?? 0
  return memberLine({ name, kind, mode, mtimeMs, owner, group, bytes: { length: size }, ...target }, name)
}
