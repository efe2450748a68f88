// Runs other shells: `bash -c TEXT`, `bash FILE`, and scripts by their path.

import { Unsupported } from '../../commands/command.ts'
import { readAll } from '../../commands/io/reader.ts'
import { decode } from '../../commands/io/text.ts'
import { FileError } from '../../commands/io/files.ts'
import { messagePrefix } from '../builtins/builtin.ts'
import { writeText } from '../state/descriptors.ts'
import { Shell } from '../state/shell.ts'
import { newVariable } from '../state/variables.ts'
import type { Execution } from './execution.ts'
import { shellFiles } from './files.ts'

/** Creates a new shell with the environment of a program. */
function newShell(
  shell: Shell,
  name: string,
  positional: readonly string[],
  env: Readonly<Record<string, string>>,
): Shell {
  const created = new Shell(shell.session, {
    cwd: shell.cwd,
    name,
    positional: [...positional],
    descriptors: new Map(shell.descriptors),
  })
  created.umask = shell.umask
  created.traps = shell.traps.ofProgram()
  setEnvironment(created, env)
  for (const definition of shell.functions.values())
    if (definition.exported) created.functions.set(definition.name, { ...definition, file: 'environment' })
  // The new shell is not the top-level one, so a failed line ends it, as when a shell runs a file.
  return created
}

export function setEnvironment(shell: Shell, env: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries({
    ...env,
    PWD: shell.cwd,
    SHLVL: String(Number(env['SHLVL'] ?? 0) + 1),
  })) {
    const variable = newVariable(text)
    variable.exported = true
    shell.variables.put(name, variable)
  }
  const defaults = {
    IFS: ' \t\n',
    OPTIND: '1',
    OPTERR: '1',
    PS4: '+ ',
    HOSTNAME: 'localhost',
    OSTYPE: 'linux-gnu',
    HOSTTYPE: 'x86_64',
    MACHTYPE: 'x86_64-pc-linux-gnu',
    BASH: '/bin/bash',
    BASH_VERSION: '5.2.15(1)-release',
    PPID: '1',
    SHELL: '/bin/bash',
    TERM: 'dumb',
    UID: '1000',
    EUID: '1000',
  }
  for (const [name, text] of Object.entries(defaults))
    if (!shell.variables.find(name) || name === 'IFS' || name === 'OPTIND')
      shell.variables.put(name, newVariable(text))
  for (const name of ['PPID', 'UID', 'EUID']) {
    const variable = shell.variables.find(name)
    if (variable) Object.assign(variable, { readonly: true, integer: true })
  }
}

export async function runBash(
  execution: Execution,
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const settings: [letter: string, on: boolean][] = []
  let from: 'file' | 'text' | 'input' = 'file'
  let index = 0
  for (; /^[-+]./.test(args[index] ?? ''); index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index++
      break
    }
    if (arg === '--version') return version(shell)
    if (/^--(?:norc|noprofile|login|posix|verbose)$/.test(arg)) {
      if (arg === '--posix' || arg === '--verbose') throw new Unsupported(`bash ${arg}`, 'bash without it')
      continue
    }
    if (arg.startsWith('--')) throw new Unsupported(`bash ${arg}`, 'bash without it')
    for (const letter of arg.slice(1)) {
      const on = arg.startsWith('-')
      if (letter === 'c') from = 'text'
      else if (letter === 's') from = 'input'
      else if (letter === 'o' || letter === 'O') settings.push([args[++index] ?? '', on])
      else if (letter === 'n') throw new Unsupported('bash -n', 'running the script')
      else if (!/[li]/.test(letter)) settings.push([letter, on])
    }
  }
  const [first, ...rest] = args.slice(index)
  const named = from === 'text' ? (rest[0] ?? name) : from === 'file' && first !== undefined ? first : name
  const positional = from === 'text' ? rest.slice(1) : from === 'file' ? rest : args.slice(index)
  const created = newShell(shell, named, positional, env)
  for (const [option, on] of settings) {
    const verdict = created.options.isShopt(option)
      ? created.options.shopt(option, on)
      : created.options.turn(option, on)
    if (verdict !== 'set') throw new Unsupported(`bash with the option ${option}`, 'bash without it')
  }
  if (from === 'text') {
    created.fromArgument = true
    created.variables.put('BASH_EXECUTION_STRING', newVariable(first ?? ''))
    return runText(execution, shell, created, first ?? '')
  }
  if (from === 'input' || first === undefined) {
    const input = created.descriptors.get(0)?.input
    return runText(
      execution,
      shell,
      created,
      input ? decode(await readAll(input, (bytes) => shell.host.held(bytes))) : '',
    )
  }
  created.script = first
  try {
    const status = await shellFiles(shell).stat(first)
    if (status?.kind === 'directory') throw new FileError('Is a directory')
    return await runText(execution, shell, created, decode(await shellFiles(shell).read(first)))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await writeText(shell.descriptors, 2, `${name}: ${first}: ${error.message}\n`)
    return error.message === 'Is a directory' ? 126 : 127
  }
}

async function version(shell: Shell): Promise<number> {
  await writeText(shell.descriptors, 1, 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n')
  return 0
}

async function runText(execution: Execution, shell: Shell, created: Shell, text: string): Promise<number> {
  return execution.subshell(shell, async () => execution.text(created, text, 1), created)
}

const PYTHON = /\bpython[\d.]*$/
const NODE = /\b(?:node|bun|deno)$/
const SHELL = /\b(?:ba|da|z|k)?sh$/

/** Runs a script by its path. Its first line names the interpreter. */
export async function runScriptFile(
  execution: Execution,
  shell: Shell,
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const bytes = await shellFiles(shell).read(path)
  const text = decode(bytes)
  const [line = ''] = text.split('\n', 1)
  if (!line.startsWith('#!')) {
    if (bytes.subarray(0, 80).includes(0)) {
      await writeText(
        shell.descriptors,
        2,
        `${messagePrefix(shell)}${path}: cannot execute binary file: Exec format error\n`,
      )
      return 126
    }
    return runBash(execution, shell, 'bash', [path, ...args], env)
  }
  const words = line
    .slice(2)
    .replaceAll(/^[ \t]+|[ \t]+$/g, '')
    .split(/[ \t]+/)
  const viaEnv = /(?:^|\/)env$/.test(words[0] ?? '')
  // In a file with Windows line ends, the interpreter's name ends with a carriage return.
  if (words.length === (viaEnv ? 2 : 1) && line.endsWith('\r')) {
    const message = viaEnv
      ? `${words[0] ?? ''}: ‘${(words[1] ?? '').slice(0, -1)}\\r’: No such file or directory\n${words[0] ?? ''}: use -[v]S to pass options in shebang lines\n`
      : `${messagePrefix(shell)}${path}: cannot execute: required file not found\n`
    await writeText(shell.descriptors, 2, message)
    return 127
  }
  const [interpreter = '', ...options] = viaEnv ? words.slice(words[1] === '-S' ? 2 : 1) : words
  const name = interpreter.slice(interpreter.lastIndexOf('/') + 1)
  if (SHELL.test(name)) return runBash(execution, shell, 'bash', [...options, path, ...args], env)
  const program = PYTHON.test(name) ? 'python3' : NODE.test(name) ? 'node' : name
  return execution.external(shell, program, [...options, path, ...args], env)
}
