// The options of `tar`, in its old form (`tar czf`) too.

import { Failed, Unsupported } from '../command.ts'
import { unknownLetter, unknownLong } from '../options.ts'
import { otherOptions } from '../real-options.ts'

export interface TarOptions {
  readonly mode: 'create' | 'append' | 'extract' | 'list'
  readonly gzip: boolean
  readonly verbose: boolean
  readonly toStdout: boolean
  readonly keepsOldFiles: boolean
  readonly wildcards: boolean
  /** `-` for standard input or output. */
  readonly archive: string
  readonly stripped: number
  readonly excluded: readonly string[]
  /** Names, each with the folder that `-C` set before it. */
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
}
/** Options that change nothing here: owners and times are not stored, and folders are read in the order of names. */
const WITHOUT_EFFECT = new Set([
  'no-same-owner',
  'same-owner',
  'no-same-permissions',
  'overwrite',
  'no-overwrite-dir',
  'numeric-owner',
  'recursion',
  'anchored',
  'no-anchored',
])
const INSTEAD = 'tar without it, zip, or python3 with its module tarfile'

/** Throws a `Failed` or an `Unsupported`. */
export function tarOptions(args: readonly string[]): TarOptions {
  return new TarArguments(args).parse()
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

  constructor(args: readonly string[]) {
    this.#args = [...args]
  }

  parse(): TarOptions {
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
    return {
      mode: this.#mode,
      gzip: has('z') || (has('a') && /\.(?:tgz|gz)$/.test(this.#archive)),
      verbose: has('v'),
      toStdout: has('O'),
      keepsOldFiles: has('k'),
      wildcards: has('wildcards'),
      archive: this.#archive,
      stripped: this.#stripped,
      excluded: this.#excluded,
      names: this.#names,
      folder: this.#folder,
    }
  }

  /** Letters without a hyphen, such as `czf`. Their values follow in the order of the letters. */
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
    else if (/^[zvOkpmah]$/.test(letter)) this.#flags.add(letter)
    else if (otherOptions('tar').includes(`-${letter}`)) throw new Unsupported(`tar -${letter}`, INSTEAD)
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
    else if (name === 'wildcards') this.#flags.add(name)
    else if (name === 'sort') {
      if (value() !== 'name') throw new Unsupported('tar --sort', 'tar --sort=name')
    } else if (Object.hasOwn(LONG, name)) this.#letter(LONG[name] ?? '', value)
    else if (otherOptions('tar').includes(`--${name}`)) throw new Unsupported(`tar --${name}`, INSTEAD)
    else if (!WITHOUT_EFFECT.has(name)) throw unknownLong('tar', [], `--${text}`, 64)
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
