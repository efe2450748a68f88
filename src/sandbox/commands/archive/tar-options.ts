// The options of `tar`, including the old form (`tar czf`).

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { decode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { unknownLetter, unknownLong } from '../options.ts'
import { otherOptions } from '../real-options.ts'
import { parseDate } from '../time/parse-date.ts'
import { zoneOf } from '../time/zone.ts'
import { wildcard } from '../wildcard.ts'
import { transformOf } from './tar-transform.ts'

export interface TarOptions {
  readonly mode: 'create' | 'append' | 'extract' | 'list'
  readonly gzip: boolean
  /** How often `-v` was given. */
  readonly verbose: number
  readonly toStdout: boolean
  readonly keepsOldFiles: boolean
  readonly wildcards: boolean
  /** The archive's path, or `-` for standard input or output. */
  readonly archive: string
  readonly stripped: number
  readonly dereferences: boolean
  readonly recurses: boolean
  /** Whether the names come from a file, which may be empty. */
  readonly listed: boolean
  readonly owner: string | null
  readonly group: string | null
  readonly numericOwner: boolean
  /** Unix time in milliseconds; null to keep the time of each file. */
  readonly mtimeMs: number | null
  readonly transform: (name: string) => string
  readonly showsTransformed: boolean
  readonly excluded: readonly string[]
  /** The names of files, each with the folder that `-C` set before it. */
  readonly names: readonly { readonly name: string; readonly folder: string }[]
  /** The folder that the last `-C` set. */
  readonly folder: string
}

const MODES: Readonly<Record<string, TarOptions['mode']>> = {
  c: 'create',
  create: 'create',
  r: 'append',
  append: 'append',
  x: 'extract',
  extract: 'extract',
  get: 'extract',
  t: 'list',
  list: 'list',
}
const LONG: Readonly<Record<string, string>> = {
  file: 'f',
  directory: 'C',
  gzip: 'z',
  gunzip: 'z',
  ungzip: 'z',
  verbose: 'v',
  'to-stdout': 'O',
  'keep-old-files': 'k',
  'preserve-permissions': 'p',
  'same-permissions': 'p',
  touch: 'm',
  'auto-compress': 'a',
  dereference: 'h',
  'files-from': 'T',
  'exclude-from': 'X',
  format: 'H',
}
/** Options without effect here: owners and times are not stored, and folders are read in name order. */
const WITHOUT_EFFECT = new Set([
  'no-same-owner',
  'same-owner',
  'no-same-permissions',
  'overwrite',
  'no-overwrite-dir',
  'recursion',
  'anchored',
  'no-anchored',
])
const INSTEAD = 'tar without it, zip, or python3 with its module tarfile'
const INSTEAD_OF_LETTER: Readonly<Record<string, string>> = {
  j: 'tar -z (gzip)',
  J: 'tar -z (gzip)',
  u: 'tar -r',
  d: 'tar -x -C with an empty folder, and diff -r',
}
const VALUED = new Set(['owner', 'group', 'mtime', 'transform', 'xform'])
const FLAGS = new Set(['wildcards', 'numeric-owner', 'show-transformed-names', 'no-recursion', 'null'])

/** Parses the options. Throws a `Failed` or an `Unsupported`. */
export async function tarOptions(io: CommandIo): Promise<TarOptions> {
  return new TarArguments(io.args).parse(io)
}

/** Patterns match a whole member name, a folder above it, or its last components: `--exclude=*.log`. */
export function matchesMember(pattern: string, name: string): boolean {
  const test = wildcard(pattern.replace(/\/$/, ''))
  const parts = name.replace(/\/$/, '').split('/')
  return parts.some((_, start) =>
    parts.slice(start).some((__, length) => test(parts.slice(start, start + length + 1).join('/'))),
  )
}

async function timeOf(io: CommandIo, text: string | undefined): Promise<number | null> {
  if (text === undefined) return null
  const status = /^[./]/.test(text) ? await io.files.stat(text) : null
  if (status) return status.mtimeMs
  const time = parseDate(text, io.now(), zoneOf(io.env['TZ'], 'tar'))
  if (!time) throw new Unsupported(`tar --mtime='${text}'`, `a date like '2024-01-01 UTC'`)
  return time.seconds * 1_000
}

class TarArguments {
  readonly #args: string[]
  #mode: TarOptions['mode'] | null = null
  #flags = new Set<string>()
  #archive = '-'
  #stripped = 0
  #folder = '.'
  readonly #excluded: string[] = []
  readonly #names: { name: string; folder: string }[] = []
  readonly #values = new Map<string, string>()
  readonly #lists: { kind: 'T' | 'X'; path: string; folder: string }[] = []
  #verbose = 0

  constructor(args: readonly string[]) {
    this.#args = [...args]
  }

  async parse(io: CommandIo): Promise<TarOptions> {
    const [first] = this.#args
    if (first !== undefined && !first.startsWith('-')) this.#old(this.#args.shift() ?? '')
    for (let arg = this.#args.shift(); arg !== undefined; arg = this.#args.shift()) {
      if (arg === '--') this.#addNames(this.#args.splice(0))
      else if (arg.startsWith('--')) this.#long(arg.slice(2))
      else if (arg.startsWith('-') && arg !== '-') this.#letters(arg.slice(1))
      else this.#addNames([arg])
    }
    if (this.#mode === null)
      throw new Failed("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options", 2)
    const has = (flag: string): boolean => this.#flags.has(flag)
    for (const list of this.#lists) await this.#readList(io, list, has('null') ? '\0' : '\n')
    const transforms = this.#values.get('transform')
    return {
      mode: this.#mode,
      gzip: has('z') || (has('a') && /\.(?:tgz|gz)$/.test(this.#archive)),
      verbose: this.#verbose,
      toStdout: has('O'),
      keepsOldFiles: has('k'),
      wildcards: has('wildcards'),
      archive: this.#archive,
      stripped: this.#stripped,
      dereferences: has('h'),
      recurses: !has('no-recursion'),
      listed: this.#lists.some(({ kind }) => kind === 'T'),
      owner: this.#values.get('owner') ?? null,
      group: this.#values.get('group') ?? null,
      numericOwner: has('numeric-owner'),
      mtimeMs: await timeOf(io, this.#values.get('mtime')),
      transform: transforms === undefined ? (name) => name : transformOf(transforms),
      showsTransformed: has('show-transformed-names'),
      excluded: this.#excluded,
      names: this.#names,
      folder: this.#folder,
    }
  }

  /** Parses letters without a hyphen, such as `czf`. Their values follow in the order of the letters. */
  #old(letters: string): void {
    for (const letter of letters) this.#letter(letter, () => this.#args.shift())
  }

  #letters(letters: string): void {
    for (let index = 0; index < letters.length; index++) {
      const rest = letters.slice(index + 1)
      let used = false
      this.#letter(letters[index] ?? '', () => {
        used = rest !== ''
        return used ? rest : this.#args.shift()
      })
      if (used) return
    }
  }

  #letter(letter: string, next: () => string | undefined): void {
    const value = (): string => {
      const given = next()
      if (given === undefined) throw new Failed(`option requires an argument -- '${letter}'`, 64)
      return given
    }
    const mode = Object.hasOwn(MODES, letter) ? MODES[letter] : undefined
    if (mode) this.#setMode(mode)
    else if (letter === 'f') this.#archive = value()
    else if (letter === 'C') this.#changeFolder(value())
    else if (letter === 'T' || letter === 'X')
      this.#lists.push({ kind: letter, path: value(), folder: this.#folder })
    else if (letter === 'H') {
      const format = value()
      if (format !== 'gnu') throw new Unsupported(`tar --format=${format}`, 'tar --format=gnu')
    } else if (letter === 'v') this.#verbose++
    else if (/^[zOkpmah]$/.test(letter)) this.#flags.add(letter)
    else if (otherOptions('tar').includes(`-${letter}`))
      throw new Unsupported(`tar -${letter}`, INSTEAD_OF_LETTER[letter] ?? INSTEAD)
    else throw unknownLetter('tar', `-${letter}`, 64)
  }

  #long(text: string): void {
    const mark = text.indexOf('=')
    const name = mark === -1 ? text : text.slice(0, mark)
    const value = (): string => (mark === -1 ? (this.#args.shift() ?? '') : text.slice(mark + 1))
    const mode = Object.hasOwn(MODES, name) && name.length > 1 ? MODES[name] : undefined
    if (mode) this.#setMode(mode)
    else if (name === 'exclude') this.#excluded.push(value())
    else if (name === 'strip-components') this.#stripped = Number(value())
    else if (FLAGS.has(name)) this.#flags.add(name)
    else if (VALUED.has(name)) this.#setValue(name, value())
    else if (name === 'sort') {
      if (value() !== 'name') throw new Unsupported('tar --sort', 'tar --sort=name')
    } else if (Object.hasOwn(LONG, name)) this.#letter(LONG[name] ?? '', value)
    else if (otherOptions('tar').includes(`--${name}`)) throw new Unsupported(`tar --${name}`, INSTEAD)
    else if (!WITHOUT_EFFECT.has(name)) throw unknownLong('tar', [], `--${text}`, 64)
  }

  #setValue(name: string, value: string): void {
    const isTransform = name === 'transform' || name === 'xform'
    const before = isTransform ? this.#values.get('transform') : undefined
    this.#values.set(isTransform ? 'transform' : name, before === undefined ? value : `${before};${value}`)
  }

  /** For `-T` and `-X`: reads names or patterns from a file. */
  async #readList(
    io: CommandIo,
    { kind, path, folder }: { readonly kind: 'T' | 'X'; readonly path: string; readonly folder: string },
    end: string,
  ): Promise<void> {
    const text = decode(path === '-' ? await readAll(io.stdin) : await io.files.read(path))
    const lines = text.split(end).filter((line) => line !== '')
    if (kind === 'X') this.#excluded.push(...lines)
    else if (end === '\n' && lines.some((line) => line.startsWith('-')))
      throw new Unsupported('tar -T with options in the file', 'the options before -T')
    else for (const name of lines) this.#names.push({ name, folder })
  }

  #setMode(mode: TarOptions['mode']): void {
    if (this.#mode !== null && this.#mode !== mode)
      throw new Failed(
        "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option",
        2,
      )
    this.#mode = mode
  }

  #changeFolder(folder: string): void {
    this.#folder = folder.startsWith('/') ? folder : `${this.#folder}/${folder}`
  }

  #addNames(names: readonly string[]): void {
    for (const name of names) this.#names.push({ name, folder: this.#folder })
  }
}
