// The command line of `python3`: what it asks for, as CPython 3.13 reads it. Runs nothing.

import type { CommandLine, PrintedAnswer } from '../wasm/run.ts'

/** What the interpreter is told to do. */
export interface PythonOrder {
  readonly mode: 'code' | 'module' | 'script' | 'stdin'
  /** The code, the module's name or the script's path as typed; empty for stdin. */
  readonly what: string
  /** `sys.argv`. */
  readonly argv: readonly string[]
  readonly unbuffered: boolean
  /** `-W`. */
  readonly warnings: readonly string[]
  /** `-X`. */
  readonly options: readonly string[]
  /** What differs in `sys.flags`, by its names there. */
  readonly flags: Readonly<Record<string, number | boolean>>
  /** `-x`. */
  readonly skip_first_line: boolean
}

/** The release that scripts/runtimes/python.ts pins. */
const VERSION = '3.13.2'
const USAGE =
  'usage: python3 [-BEIOPqsSux] [-W action] [-X option] (-c command | -m module | script | -) [argument ...]\n'
/** A letter and what it sets in `sys.flags`. `-O` counts; `-R` is how it is anyway. */
const FLAGS: Readonly<Record<string, PythonOrder['flags']>> = {
  B: { dont_write_bytecode: 1 },
  E: { ignore_environment: 1 },
  I: { isolated: 1, ignore_environment: 1, no_user_site: 1, safe_path: true },
  P: { safe_path: true },
  q: { quiet: 1 },
  R: {},
  s: { no_user_site: 1 },
  S: { no_site: 1 },
}
/** They would change what the interpreter does inside, which is compiled. */
const REFUSED: Readonly<Record<string, string>> = {
  b: 'warnings about bytes (-b) are not here',
  d: 'the parser says nothing here (-d)',
  i: 'there is no prompt here (-i)',
  v: 'imports are not traced here (-v): use importlib or sys.modules',
}
const OPTIONS_REFUSED = new Set(['importtime', 'perf', 'presite', 'showrefcount', 'tracemalloc'])

/** Reads `argv`, whose first word is the command itself. */
export function readCommand(argv: readonly string[]): CommandLine<PythonOrder> {
  const warnings: string[] = []
  const options: string[] = []
  let flags: PythonOrder['flags'] = {}
  let optimize = 0
  let unbuffered = false
  let skip_first_line = false
  const order = (
    mode: PythonOrder['mode'],
    what: string,
    args: readonly string[],
  ): CommandLine<PythonOrder> => {
    const all = optimize > 0 ? { ...flags, optimize } : flags
    return { order: { mode, what, argv: args, unbuffered, warnings, options, flags: all, skip_first_line } }
  }
  const words = argv.slice(1)
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-') return order('stdin', '', ['-', ...words])
    if (word === '--')
      return words[0] === undefined ? order('stdin', '', ['']) : order('script', words[0], words)
    if (!word.startsWith('-')) return order('script', word, [word, ...words])
    if (word === '--version') return said(`Python ${VERSION}\n`)
    if (word === '--help') return said(USAGE)
    if (word === '--check-hash-based-pycs') words.shift()
    else if (word.startsWith('--')) return unknown(word)
    if (word.startsWith('--')) continue
    for (let letters = word.slice(1); letters !== ''; letters = letters.slice(1)) {
      const letter = letters[0] ?? ''
      if ('cmWX'.includes(letter)) {
        const value = letters.length > 1 ? letters.slice(1) : words.shift()
        if (value === undefined) return refused(`Argument expected for the -${letter} option\n`)
        if (letter === 'c') return order('code', value, ['-c', ...words])
        if (letter === 'm') return order('module', value, ['-m', ...words])
        if (letter === 'W') warnings.push(value)
        const [name = ''] = letter === 'X' ? value.split('=') : []
        if (OPTIONS_REFUSED.has(name)) return refused(`the option -X ${name} is not here\n`)
        if (letter === 'X') options.push(value)
        break
      }
      if (letter === 'V') return said(`Python ${VERSION}\n`)
      if (letter === 'h' || letter === '?') return said(USAGE)
      const why = Object.hasOwn(REFUSED, letter) ? REFUSED[letter] : undefined
      if (why !== undefined) return refused(`${why}\n`)
      if (letter === 'u') unbuffered = true
      else if (letter === 'O') optimize += 1
      else if (letter === 'x') skip_first_line = true
      else if (Object.hasOwn(FLAGS, letter)) flags = { ...flags, ...FLAGS[letter] }
      else return unknown(`-${letter}`)
    }
  }
  return order('stdin', '', [''])
}

function said(stdout: string): PrintedAnswer {
  return { exitCode: 0, stdout, stderr: '' }
}

function refused(words: string): PrintedAnswer {
  return { exitCode: 2, stdout: '', stderr: words + USAGE }
}

function unknown(word: string): PrintedAnswer {
  return refused(`unknown option ${word}\n`)
}
