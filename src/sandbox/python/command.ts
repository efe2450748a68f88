// The command line of `python3`: what it asks for, as CPython 3.13 reads it. Runs nothing.

/** What the interpreter is told to do. */
export interface Order {
  readonly mode: 'code' | 'module' | 'script' | 'stdin'
  /** The code, the module's name or the script's path as typed; empty for stdin. */
  readonly what: string
  /** `sys.argv`. */
  readonly argv: readonly string[]
  readonly unbuffered: boolean
  /** `-W`, and optimisation as in `-O`. */
  readonly warnings: readonly string[]
  readonly isolated: boolean
}

/** The order; or what is answered at once. */
export type Command =
  | { readonly order: Order }
  | { readonly exitCode: number; readonly stdout: string; readonly stderr: string }

/** The release that scripts/runtimes/python.ts pins. */
const VERSION = '3.13.2'
const USAGE = 'usage: python3 [-u] [-W action] (-c command | -m module | script | -) [argument ...]\n'
/** Taken and without effect: nothing here has users, bytecode files, a prompt or a terminal. */
const WITHOUT_EFFECT = new Set('bBdEOPqsSvx')

/** Reads `argv`, whose first word is the command itself. */
export function readCommand(argv: readonly string[]): Command {
  const warnings: string[] = []
  let unbuffered = false
  let isolated = false
  const order = (mode: Order['mode'], what: string, args: readonly string[]): Command => ({
    order: { mode, what, argv: args, unbuffered, warnings, isolated },
  })
  const words = argv.slice(1)
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-') return order('stdin', '', ['-', ...words])
    if (word === '--')
      return words[0] === undefined ? order('stdin', '', ['']) : order('script', words[0], words)
    if (!word.startsWith('-')) return order('script', word, [word, ...words])
    if (word === '--version') return said(`Python ${VERSION}\n`)
    if (word === '--help') return said(USAGE)
    if (word.startsWith('--')) return unknown(word)
    for (let letters = word.slice(1); letters !== ''; letters = letters.slice(1)) {
      const letter = letters[0] ?? ''
      if ('cmWX'.includes(letter)) {
        const value = letters.length > 1 ? letters.slice(1) : words.shift()
        if (value === undefined) return refused(`Argument expected for the -${letter} option\n`)
        if (letter === 'c') return order('code', value, ['-c', ...words])
        if (letter === 'm') return order('module', value, ['-m', ...words])
        if (letter === 'W') warnings.push(value)
        break
      }
      if (letter === 'V') return said(`Python ${VERSION}\n`)
      if (letter === 'h' || letter === '?') return said(USAGE)
      if (letter === 'u') unbuffered = true
      else if (letter === 'I') isolated = true
      else if (letter === 'i') return refused('there is no prompt here (-i)\n')
      else if (!WITHOUT_EFFECT.has(letter)) return unknown(`-${letter}`)
    }
  }
  return order('stdin', '', [''])
}

function said(stdout: string): Command {
  return { exitCode: 0, stdout, stderr: '' }
}

function refused(words: string): Command {
  return { exitCode: 2, stdout: '', stderr: words + USAGE }
}

function unknown(word: string): Command {
  return refused(`unknown option ${word}\n`)
}
