// Parses the command line of `node`.

import type { CommandLine, PrintedResult } from '../wasm/run.ts'

/** What the interpreter runs. */
export interface NodeOrder {
  readonly mode: 'code' | 'print' | 'script' | 'stdin'
  /** The code, or the script's path as typed; empty for stdin. */
  readonly what: string
  /** `process.argv` after the interpreter and the script. */
  readonly args: readonly string[]
  /** Options of the interpreter, as in `process.execArgv`. */
  readonly options: readonly string[]
  /** `--input-type`. */
  readonly type: string
  /** `--require`, `--import`: modules to load first. */
  readonly before: readonly string[]
}

/** The release of Node that is emulated. It runs TypeScript directly. */
export const VERSION = 'v22.18.0'
const USAGE = `Usage: node [options] [script.mjs | script.cjs | script.js | script.ts | -] [arguments]

  -e, --eval CODE     run CODE; -p, --print also prints its result
  -r, --require FILE  load a module first; also --import FILE
  -c, --check         not supported
  -v, --version       print the version

QuickJS on WebAssembly: no network, no other programs, no npm. Files below /mnt/user-data and /tmp.
`
/** Options with a value that are accepted and ignored. */
const IGNORED_WITH_VALUE = new Set([
  '-C',
  '--conditions',
  '--stack-trace-limit',
  '--max-old-space-size',
  '--env-file',
  '--title',
])
const UNSUPPORTED = new Set([
  '-c',
  '--check',
  '-i',
  '--interactive',
  '--test',
  '--watch',
  '--inspect',
  '--inspect-brk',
  '--run',
])

/** Parses `argv`, whose first element is the command itself. */
export function readCommand(argv: readonly string[]): CommandLine<NodeOrder> {
  const remaining = argv.slice(1)
  const options: string[] = []
  const before: string[] = []
  let type = ''
  let code: string | null = null
  let mode: NodeOrder['mode'] = 'script'
  for (let word = remaining.shift(); word !== undefined; word = remaining.shift()) {
    if (word === '-' || word === '--' || !word.startsWith('-')) {
      const afterOption = word === '--' ? remaining : [word, ...remaining]
      if (code !== null) return runCommand(mode, code, afterOption)
      if (word === '-') return runCommand('stdin', '', remaining)
      const [script, ...args] = afterOption
      return script === undefined ? runCommand('stdin', '', []) : runCommand('script', script, args)
    }
    const [name, attachedValue] = splitOption(word)
    if (name === '-v' || name === '--version') return { exitCode: 0, stdout: `${VERSION}\n`, stderr: '' }
    if (name === '-h' || name === '--help') return { exitCode: 0, stdout: USAGE, stderr: '' }
    if (UNSUPPORTED.has(name)) return refusal(`${name} is not supported`)
    const value = (): string | undefined => attachedValue ?? remaining.shift()
    if (['-e', '--eval', '-p', '--print', '-pe'].includes(name)) {
      const text = value()
      if (text === undefined) return refusal(`${name} requires an argument`)
      code = text
      if (!name.endsWith('e') || name === '-pe') mode = name === '--eval' ? mode : 'print'
      if (mode === 'script') mode = 'code'
    } else if (['-r', '--require', '--import'].includes(name)) {
      const file = value()
      if (file === undefined) return refusal(`${name} requires an argument`)
      before.push(file)
    } else if (name === '--input-type') type = value() ?? ''
    else if (IGNORED_WITH_VALUE.has(name)) {
      if (attachedValue === undefined && !name.startsWith('--max')) remaining.shift()
    } else if (!name.startsWith('--')) return refusal(`bad option: ${word}`)
    options.push(word)
  }
  return code === null ? runCommand('stdin', '', []) : runCommand(mode, code, [])

  function runCommand(
    what: NodeOrder['mode'],
    text: string,
    args: readonly string[],
  ): CommandLine<NodeOrder> {
    return { order: { mode: what, what: text, args, options, type, before } }
  }
}

function splitOption(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function refusal(message: string): PrintedResult {
  return { exitCode: 9, stdout: '', stderr: `node: ${message}\n` }
}
