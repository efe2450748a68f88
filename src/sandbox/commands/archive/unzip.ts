// `unzip`: lists, prints and extracts the files of an archive.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { wildcard } from '../wildcard.ts'
import { crc32 } from './crc32.ts'
import { entryBytes, readZip, ZipError, type ZipEntry } from './zip-format.ts'

const OPTIONS = [
  { flags: '-l' },
  { flags: '-p' },
  { flags: '-t' },
  { flags: '-o' },
  { flags: '-n' },
  { flags: '-j' },
  { flags: '-q' },
  { flags: '-Z' },
  { flags: '-1' },
  { flags: '-v', refused: 'unzip -l' },
  { flags: '-u', refused: 'unzip -o' },
  { flags: '-f', refused: 'unzip -o' },
  { flags: '-a', refused: 'unzip without it' },
  { flags: '-P', refused: 'an archive without password' },
] as const

interface Wanted {
  readonly archive: string
  readonly folder: string
  readonly accepts: (name: string) => boolean
  readonly patterns: readonly string[]
}

export const zipinfo: Command = {
  async run(io) {
    if (!io.args.includes('-1')) throw new Unsupported('zipinfo without -1', 'zipinfo -1 or unzip -l')
    return unzip.run({ ...io, args: ['-Z', ...io.args] })
  },
}

export const unzip: Command = {
  async run(io) {
    const { args, folder, excluded } = withoutFolder(io.args)
    const given = parseOptions('unzip', args, OPTIONS, { usageExit: 10 })
    const onlyNames = given.has('-1')
    if (given.has('-Z') !== onlyNames || (onlyNames && given.options.length > 2))
      throw new Unsupported('unzip -Z without or with more than -1', 'unzip -Z1 or unzip -l')
    const [name, ...patterns] = given.operands
    if (name === undefined) throw new Unsupported('unzip without an archive', 'unzip ARCHIVE')
    const opened = await open(io, name)
    if (typeof opened === 'number') return opened
    const [some, none] = [patterns.map(wildcard), excluded.map(wildcard)]
    const wanted: Wanted = {
      archive: opened.archive,
      folder,
      accepts: (path) =>
        (some.length === 0 || some.some((fits) => fits(path))) && !none.some((fits) => fits(path)),
      patterns,
    }
    const quiet = given.has('-q') || given.has('-p') || onlyNames
    if (!quiet || given.has('-l')) await io.stdout.write(`Archive:  ${wanted.archive}\n`)
    const entries = opened.entries.filter((entry) => wanted.accepts(entry.name))
    let exitCode = 0
    for (const pattern of patterns)
      if (!opened.entries.some((entry) => wildcard(pattern)(entry.name))) {
        if (!given.has('-l')) await io.stderr.write(`caution: filename not matched:  ${pattern}\n`)
        exitCode = 11
      }
    if (onlyNames) await io.stdout.write(entries.map((entry) => `${entry.name}\n`).join(''))
    else if (given.has('-l')) await list(io, entries)
    else if (given.has('-t')) await test(io, entries, wanted.archive, given)
    else if (given.has('-p')) for (const entry of entries) await io.stdout.write(await checked(entry))
    else await extract(io, entries, wanted, given)
    return entries.length === 0 ? 11 : exitCode
  },
}

/** `-d FOLDER` and `-x NAME...` may come last. */
function withoutFolder(args: readonly string[]): {
  args: readonly string[]
  folder: string
  excluded: readonly string[]
} {
  const kept: string[] = []
  let folder = ''
  const excluded: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-x')
      while (at + 1 < args.length && !(args[at + 1] ?? '').startsWith('-')) excluded.push(args[++at] ?? '')
    else if (arg === '-d') folder = `${(args[++at] ?? '').replace(/(?<=.)\/+$/, '')}/`
    else if (/^-[a-z]*d./.test(arg)) {
      const position = arg.indexOf('d')
      if (position > 1) kept.push(arg.slice(0, position))
      folder = `${arg.slice(position + 1).replace(/(?<=.)\/+$/, '')}/`
    } else if (/^-[a-z]+d$/.test(arg)) {
      kept.push(arg.slice(0, -1))
      folder = `${(args[++at] ?? '').replace(/(?<=.)\/+$/, '')}/`
    } else kept.push(arg)
  }
  return { args: kept, folder, excluded }
}

async function open(
  io: CommandIo,
  name: string,
): Promise<{ archive: string; entries: readonly ZipEntry[] } | number> {
  for (const archive of [name, `${name}.zip`, `${name}.ZIP`]) {
    let bytes: Uint8Array
    try {
      bytes = await io.files.read(archive)
    } catch (error) {
      if (error instanceof FileError) continue
      throw error
    }
    try {
      return { archive, entries: readZip(bytes) }
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      await io.stdout.write(`Archive:  ${archive}\n`)
      await io.stderr.write(`unzip:  cannot find zipfile directory in ${archive} (${error.message})\n`)
      return 9
    }
  }
  await io.stderr.write(`unzip:  cannot find or open ${name}, ${name}.zip or ${name}.ZIP.\n`)
  return 9
}

async function list(io: CommandIo, entries: readonly ZipEntry[]): Promise<void> {
  let total = 0
  let text = '  Length      Date    Time    Name\n---------  ---------- -----   ----\n'
  for (const { name, size, mtimeMs } of entries) {
    total += size
    const when = new Date(mtimeMs).toISOString()
    text += `${String(size).padStart(9)}  ${when.slice(0, 10)} ${when.slice(11, 16)}   ${name}\n`
  }
  const count = `${entries.length} file${entries.length === 1 ? '' : 's'}`
  await io.stdout.write(
    `${text}---------                     -------\n${String(total).padStart(9)}                     ${count}\n`,
  )
}

async function checked(entry: ZipEntry): Promise<Uint8Array> {
  const bytes = entryBytes(entry)
  if ((await crc32(bytes)) !== entry.crc)
    throw new Unsupported(`unzip of the damaged file ${entry.name}`, 'another archive')
  return bytes
}

async function test(
  io: CommandIo,
  entries: readonly ZipEntry[],
  archive: string,
  given: Parsed,
): Promise<void> {
  for (const entry of entries) {
    await checked(entry)
    if (!given.has('-q')) await io.stdout.write(`    testing: ${entry.name.padEnd(22)}   OK\n`)
  }
  if (given.values('-q').length < 2)
    await io.stdout.write(`No errors detected in compressed data of ${archive}.\n`)
}

async function extract(
  io: CommandIo,
  entries: readonly ZipEntry[],
  { folder }: Wanted,
  given: Parsed,
): Promise<void> {
  if (folder !== '') await io.files.makeDirectory(folder.slice(0, -1), { parents: true })
  for (const entry of entries) {
    const isFolder = entry.name.endsWith('/')
    const name = given.has('-j') ? entry.name.slice(entry.name.lastIndexOf('/') + 1) : entry.name
    if (name === '') continue
    if (name.startsWith('/') || name.split('/').includes('..'))
      throw new Unsupported(`unzip of a file outside of the folder (${entry.name})`, 'python3 -m zipfile -e')
    const path = folder + name
    const status = await io.files.stat(path)
    if (isFolder) {
      if (status) continue
      await io.files.makeDirectory(path.replace(/\/$/, ''), { parents: true })
      if (!given.has('-q')) await io.stdout.write(`   creating: ${path}\n`)
      continue
    }
    if (status) {
      if (given.has('-n')) continue
      if (!given.has('-o'))
        throw new Unsupported(`unzip over the file ${path}, which asks,`, 'unzip -o or unzip -n')
    }
    const parent = path.lastIndexOf('/')
    if (parent > 0) await io.files.makeDirectory(path.slice(0, parent), { parents: true })
    await io.files.write(path, await checked(entry))
    await io.files.setTime(path, entry.mtimeMs)
    await io.files.setMode(path, entry.mode)
    const what = entry.method === 0 ? ' extracting' : '  inflating'
    if (!given.has('-q')) await io.stdout.write(`${what}: ${path.padEnd(22)}  \n`)
  }
}
