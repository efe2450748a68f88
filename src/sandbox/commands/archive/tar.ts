// `tar`: creates, lists and extracts archives of files and folders, with or without gzip.

import { gzipSync } from 'node:zlib'

import { packTar, unpackTar, type ParsedTarEntryWithData, type TarEntry } from 'modern-tar'

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { permissionsText } from '../file/mode-text.ts'
import { wildcard } from '../wildcard.ts'
import { isGzip, unpacked, UNPACKED_MAX } from './gzip-format.ts'
import { tarOptions, type TarOptions } from './tar-options.ts'

export const tar: Command = {
  async run(io) {
    const options = tarOptions(io.args)
    return options.mode === 'create' || options.mode === 'append' ? write(io, options) : read(io, options)
  },
}

/** Members are matched as a whole, or below a folder, or by their last components: `--exclude=*.log`. */
function matches(pattern: string, name: string): boolean {
  const test = wildcard(pattern.replace(/\/$/, ''))
  const parts = name.replace(/\/$/, '').split('/')
  return parts.some((_, start) =>
    parts.slice(start).some((__, length) => test(parts.slice(start, start + length + 1).join('/'))),
  )
}

async function write(io: CommandIo, options: TarOptions): Promise<number> {
  if (options.mode === 'append' && options.gzip) throw new Failed('Cannot update compressed archives', 2)
  if (options.names.length === 0)
    throw new Failed(
      "Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.",
      2,
    )
  const entries: TarEntry[] = []
  let bytes = 0
  let exitCode = 0
  const add = async (name: string, folder: string): Promise<void> => {
    if (options.excluded.some((pattern) => matches(pattern, name))) return
    const path = name.startsWith('/') ? name : `${folder}/${name}`
    const status = await io.files.stat(path)
    if (!status) {
      await io.stderr.write(`tar: ${name}: Cannot stat: No such file or directory\n`)
      exitCode = 2
      return
    }
    const member = name.replace(/^\/+/, '')
    const header = {
      mode: status.mode,
      mtime: new Date(status.mtimeMs),
      uname: 'user',
      gname: 'user',
      uid: 1_000,
      gid: 1_000,
    }
    if (status.kind === 'directory') {
      const folderName = member === '' || member.endsWith('/') ? member : `${member}/`
      if (folderName !== '')
        entries.push({ header: { ...header, name: folderName, size: 0, type: 'directory' } })
      for (const child of await io.files.list(path)) await add(`${name.replace(/\/$/, '')}/${child}`, folder)
      return
    }
    const data = await io.files.read(path)
    bytes += data.length
    if (bytes > UNPACKED_MAX) throw new Unsupported('tar of so much data', 'several archives')
    entries.push({ header: { ...header, name: member, size: data.length, type: 'file' }, body: data })
  }
  for (const { name, folder } of options.names) {
    if (name.startsWith('/')) await io.stderr.write("tar: Removing leading `/' from member names\n")
    await add(name, folder)
  }
  const before =
    options.mode === 'append' && (await io.files.stat(options.archive)) ? await membersOf(io, options) : []
  const packed = await packTar([
    ...before.map(({ header, data }) => ({ header, ...(data && { body: data }) })),
    ...entries,
  ])
  const archive = options.gzip ? new Uint8Array(gzipSync(packed)) : packed
  const names = options.verbose ? entries.map(({ header }) => `${header.name}\n`).join('') : ''
  await (options.archive === '-' ? io.stderr : io.stdout).write(names)
  if (options.archive === '-') await io.stdout.write(archive)
  else await io.files.write(options.archive, archive)
  if (exitCode !== 0) await io.stderr.write('tar: Exiting with failure status due to previous errors\n')
  return exitCode
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
  for (const member of await membersOf(io, options)) {
    const { name } = member.header
    const wanted = options.names.find((one) => selects(one.name, name, options.wildcards))
    if (options.names.length > 0 && !wanted) continue
    if (wanted) found.add(wanted.name)
    if (options.excluded.some((pattern) => matches(pattern, name))) continue
    if (options.mode === 'list') await io.stdout.write(`${options.verbose ? described(member) : name}\n`)
    else {
      if (options.verbose) await (options.toStdout ? io.stderr : io.stdout).write(`${name}\n`)
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

function selects(wanted: string, name: string, wildcards: boolean): boolean {
  if (wildcards && wildcard(wanted)(name)) return true
  const folder = `${wanted.replace(/\/$/, '')}/`
  return name === wanted || name === folder || name.startsWith(folder)
}

/** Whether it succeeded. */
async function extract(
  io: CommandIo,
  { header, data }: ParsedTarEntryWithData,
  options: TarOptions,
  folder: string,
): Promise<boolean> {
  const parts = header.name
    .replace(/^\/+/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const name = parts.slice(options.stripped).join('/')
  if (name === '') return true
  const fail = async (message: string): Promise<false> => {
    await io.stderr.write(`tar: ${header.name}: ${message}\n`)
    return false
  }
  if (parts.includes('..')) return fail("Member name contains '..'")
  const path = `${folder}/${name}`
  try {
    if (header.type === 'directory') {
      await io.files.makeDirectory(path, { parents: true })
      return true
    }
    if (header.type !== 'file')
      throw new Unsupported('tar with links or devices', 'python3 with its module tarfile')
    if (options.toStdout) {
      await io.stdout.write(data ?? new Uint8Array())
      return true
    }
    if (options.keepsOldFiles && (await io.files.lstat(path))) return await fail('Cannot open: File exists')
    await io.files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { parents: true })
    await io.files.write(path, data ?? new Uint8Array())
    if (header.mode !== undefined) await io.files.setMode(path, header.mode & 0o777)
    if (header.mtime) await io.files.setTime(path, header.mtime.getTime())
    return true
  } catch (error) {
    if (error instanceof FileError) return fail(`Cannot open: ${error.message}`)
    throw error
  }
}

/** Owner and size take at least this width together. */
const OWNER_WIDTH = 19

function described({ header }: ParsedTarEntryWithData): string {
  const owner = `${header.uname || header.uid || 0}/${header.gname || header.gid || 0}`
  const size = String(header.size)
  const padding = ' '.repeat(Math.max(1, OWNER_WIDTH - owner.length - size.length))
  const time = (header.mtime ?? new Date(0)).toISOString().slice(0, 16).replace('T', ' ')
  const kind = header.type === 'directory' ? 'directory' : header.type === 'file' ? 'file' : 'link'
  const status = { kind, mode: header.mode ?? 0, size: 0, mtimeMs: 0, inode: 0 } as const
  return `${permissionsText(status)} ${owner}${padding}${size} ${time} ${header.name}`
}
