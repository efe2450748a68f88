// `zip`: adds files to an archive.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { wildcard } from '../wildcard.ts'
import { readZip, writeZip, zipEntry, ZipError, type ZipEntry } from './zip-format.ts'

const OPTIONS = [
  { flags: '-r --recurse-paths' },
  { flags: '-q --quiet' },
  { flags: '-j --junk-paths' },
  { flags: '-d --delete' },
  { flags: '-D --no-dir-entries' },
  { flags: '-X --no-extra' },
  { flags: '-0' },
  { flags: '-1' },
  { flags: '-2' },
  { flags: '-3' },
  { flags: '-4' },
  { flags: '-5' },
  { flags: '-6' },
  { flags: '-7' },
  { flags: '-8' },
  { flags: '-9' },
] as const

const LEVELS = ['-0', '-1', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9']
const DEPTH = 60

export const zip: Command = {
  async run(io) {
    const { args, included, excluded } = withoutLists(io.args)
    const given = parseOptions('zip', args, OPTIONS, { usageExit: 16 })
    const [archiveName, ...names] = given.operands
    if (archiveName === undefined || archiveName === '-' || names.includes('-'))
      throw new Unsupported('zip to or from standard input and output', 'a file')
    const archive = /\.[^/.]+$/.test(archiveName) ? archiveName : `${archiveName}.zip`
    const before = await existing(io, archive)
    if (given.has('-d')) return deleted(io, given, archive, before, names)
    if (names.length === 0) throw new Unsupported('zip without files', 'zip ARCHIVE FILE...')
    const adding = new Adding(io, given, archive, before ?? [], nameTest(included, excluded))
    for (const name of names)
      if (!(await adding.add(name, 0)) && !given.has('-q'))
        await io.stdout.write(`\tzip warning: name not matched: ${name}\n`)
    if (adding.count === 0) {
      await io.stdout.write(`\nzip error: Nothing to do! (${archive})\n`)
      return 12
    }
    await io.files.write(archive, writeZip([...adding.entries.values()]))
    return 0
  },
}

/** `-i` and `-x` take all names up to the next option. */
function withoutLists(args: readonly string[]): {
  args: readonly string[]
  included: readonly string[]
  excluded: readonly string[]
} {
  const kept: string[] = []
  const lists: Record<'i' | 'x', string[]> = { i: [], x: [] }
  for (let at = 0; at < args.length; at++) {
    const [, letters = '', letter, glued = ''] = /^-([a-zA-Z0-9]*?)([ix])(.*)$/s.exec(args[at] ?? '') ?? []
    if (letter !== 'i' && letter !== 'x') {
      kept.push(args[at] ?? '')
      continue
    }
    if (letters !== '') kept.push(`-${letters}`)
    if (glued !== '') lists[letter].push(glued)
    else
      while (at + 1 < args.length && !/^[-@]/.test(args[at + 1] ?? '')) lists[letter].push(args[++at] ?? '')
    if (args[at + 1] === '@') at++
  }
  return { args: kept, included: lists.i, excluded: lists.x }
}

function nameTest(included: readonly string[], excluded: readonly string[]): (name: string) => boolean {
  const [some, none] = [included.map(wildcard), excluded.map(wildcard)]
  return (name) => (some.length === 0 || some.some((fits) => fits(name))) && !none.some((fits) => fits(name))
}

async function existing(io: CommandIo, archive: string): Promise<readonly ZipEntry[] | null> {
  try {
    return readZip(await io.files.read(archive))
  } catch (error) {
    if (error instanceof ZipError) throw new Failed(`Zip file structure invalid (${archive})`, 3)
    if (error instanceof FileError && !(await io.files.stat(archive))) return null
    throw error
  }
}

async function deleted(
  io: CommandIo,
  given: Parsed,
  archive: string,
  before: readonly ZipEntry[] | null,
  names: readonly string[],
): Promise<number> {
  const patterns = names.map(wildcard)
  const kept: ZipEntry[] = []
  for (const entry of before ?? [])
    if (!patterns.some((fits) => fits(entry.name))) kept.push(entry)
    else if (!given.has('-q')) await io.stdout.write(`deleting: ${entry.name}\n`)
  if (!before || kept.length === before.length) {
    for (const name of given.has('-q') ? [] : names)
      await io.stdout.write(`\tzip warning: name not matched: ${name}\n`)
    await io.stdout.write(`\nzip error: Nothing to do! (${archive})\n`)
    return 12
  }
  if (kept.length === 0) throw new Unsupported('zip -d of all files', 'rm')
  await io.files.write(archive, writeZip(kept))
  return 0
}

class Adding {
  readonly entries: Map<string, ZipEntry>
  count = 0
  readonly #io: CommandIo
  readonly #given: Parsed
  readonly #accepts: (name: string) => boolean
  readonly #level: number
  readonly #archive: string

  constructor(
    io: CommandIo,
    given: Parsed,
    archive: string,
    before: readonly ZipEntry[],
    accepts: (name: string) => boolean,
  ) {
    this.#io = io
    this.#archive = io.files.resolve(archive)
    this.#given = given
    this.#accepts = accepts
    this.entries = new Map(before.map((entry) => [entry.name, entry]))
    this.#level = Number((given.last(...LEVELS) ?? '-6').slice(1))
  }

  /** Adds a file or folder. Returns false if it does not exist. */
  async add(path: string, depth: number): Promise<boolean> {
    const { files } = this.#io
    const status = await files.stat(path)
    if (!status) return false
    if (files.resolve(path) === this.#archive) return true
    const isFolder = status.kind === 'directory'
    const plain = path.replace(/^(?:\.?\/+)+/, '').replace(/\/+$/, '')
    const name =
      (this.#given.has('-j') ? plain.slice(plain.lastIndexOf('/') + 1) : plain) + (isFolder ? '/' : '')
    const skipsFolder =
      isFolder && (this.#given.has('-j') || this.#given.has('-D') || plain === '' || plain === '.')
    if (!skipsFolder && this.#accepts(name)) {
      const bytes = isFolder ? new Uint8Array() : await files.read(path)
      await this.#put(await zipEntry(name, bytes, status.mtimeMs, status.mode & 0o777, this.#level))
    }
    if (!isFolder || !this.#given.has('-r')) return true
    if (depth > DEPTH) throw new Unsupported('zip of so deep a folder', 'parts of it')
    for (const child of await files.list(path))
      await this.add(`${path.replace(/\/+$/, '')}/${child}`, depth + 1)
    return true
  }

  async #put(entry: ZipEntry): Promise<void> {
    this.count++
    const isUpdate = this.entries.has(entry.name)
    this.entries.set(entry.name, entry)
    if (this.#given.has('-q')) return
    const saved = entry.size === 0 ? 0 : Math.round(100 - (100 * entry.packed.length) / entry.size)
    const how = entry.method === 0 ? 'stored 0%' : `deflated ${saved}%`
    await this.#io.stdout.write(`${isUpdate ? 'updating' : '  adding'}: ${entry.name} (${how})\n`)
  }
}
