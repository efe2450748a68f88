// Parses the command line of `python3` as CPython 3.13 does.

import type { CommandLine, PrintedResult } from '../wasm/run.ts'

/** What the interpreter runs. */
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
  /** Values of `sys.flags` that differ from the default. */
  readonly flags: Readonly<Record<string, number | boolean>>
  /** `-x`. */
  readonly skip_first_line: boolean
}

/** The release that scripts/runtimes/python.ts pins. */
const VERSION = '3.13.2'
const USAGE =
  'usage: python3 [-BEIOPqsSux] [-W action] [-X option] (-c command | -m module | script | -) [argument ...]\n'
/** Maps single-letter options to fields of `sys.flags`. Each `-O` adds one; `-R` is the default. */
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
/** Options that would change the compiled interpreter itself. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  b: 'warnings about bytes (-b) are not supported',
  d: 'parser debug output (-d) is not supported',
  i: 'interactive mode (-i) is not supported',
  v: 'import tracing (-v) is not supported: use importlib or sys.modules',
}
const UNSUPPORTED_X_OPTIONS = new Set(['importtime', 'perf', 'presite', 'showrefcount', 'tracemalloc'])

/** Parses `argv`, whose first element is the command itself. */
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
    const allFlags = optimize > 0 ? { ...flags, optimize } : flags
    return {
      order: { mode, what, argv: args, unbuffered, warnings, options, flags: allFlags, skip_first_line },
    }
  }
  const remaining = argv.slice(1)
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    if (word === '-') return order('stdin', '', ['-', ...remaining])
    if (word === '--')
      return remaining[0] === undefined ? order('stdin', '', ['']) : order('script', remaining[0], remaining)
    if (!word.startsWith('-')) return order('script', word, [word, ...remaining])
    if (word === '--version') return printedResult(`Python ${VERSION}\n`)
    if (word === '--help') return printedResult(USAGE)
    if (word === '--check-hash-based-pycs') remaining.shift()
    else if (word.startsWith('--')) return unknownOption(word)
    if (word.startsWith('--')) continue
    for (let letters = word.slice(1); letters !== ''; letters = letters.slice(1)) {
      const letter = letters[0] ?? ''
      if ('cmWX'.includes(letter)) {
        const value = letters.length > 1 ? letters.slice(1) : remaining.shift()
        if (value === undefined) return refusal(`Argument expected for the -${letter} option\n`)
        if (letter === 'c') return order('code', value, ['-c', ...remaining])
        if (letter === 'm') return order('module', value, ['-m', ...remaining])
        if (letter === 'W') warnings.push(value)
        const [name = ''] = letter === 'X' ? value.split('=') : []
        if (UNSUPPORTED_X_OPTIONS.has(name)) return refusal(`the option -X ${name} is not supported\n`)
        if (letter === 'X') options.push(value)
        break
      }
      if (letter === 'V') return printedResult(`Python ${VERSION}\n`)
      if (letter === 'h' || letter === '?') return printedResult(USAGE)
      const why = Object.hasOwn(UNSUPPORTED, letter) ? UNSUPPORTED[letter] : undefined
      if (why !== undefined) return refusal(`${why}\n`)
      if (letter === 'u') unbuffered = true
      else if (letter === 'O') optimize += 1
      else if (letter === 'x') skip_first_line = true
      else if (Object.hasOwn(FLAGS, letter)) flags = { ...flags, ...FLAGS[letter] }
      else return unknownOption(`-${letter}`)
    }
  }
  return order('stdin', '', [''])
}

function printedResult(stdout: string): PrintedResult {
  return { exitCode: 0, stdout, stderr: '' }
}

function refusal(message: string): PrintedResult {
  return { exitCode: 2, stdout: '', stderr: message + USAGE }
}

function unknownOption(word: string): PrintedResult {
  return refusal(`unknown option ${word}\n`)
}
