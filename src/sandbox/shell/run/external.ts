// Runs commands that are not part of the shell: Satchel's commands, programs, scripts and other shells.

import { shownText } from '../syntax/quoting.ts'
import { Failed, TIMED_OUT, Unsupported, type Command, type CommandIo } from '../../commands/command.ts'
import { bytesReader } from '../../commands/io/reader.ts'
import { FileError } from '../../commands/io/files.ts'
import { BrokenPipe, BufferedWriter } from '../../commands/io/writer.ts'
import { messagePrefix } from '../builtins/builtin.ts'
import { BUILTINS } from '../builtins/table.ts'
import { inputDescriptor, NOTHING_TO_READ, writeText, type Descriptors } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'
import { runProgram } from './programs.ts'
import type { Execution } from './execution.ts'
import { shellFiles } from './files.ts'
import { commandOfPath, FILE_BUILTINS, findFile } from './lookup.ts'
import { runBash, runScriptFile } from './scripts.ts'
import { runBuiltin } from './builtin-call.ts'

/** Finds and runs a command by name or path. `env` has the exported variables. Resolves to its exit code. */
export async function runExternal(
  execution: Execution,
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  if (name.includes('/')) {
    const path = shellFiles(shell).resolve(name)
    const command = commandOfPath(shell, path)
    if (command !== null) return runCommand(execution, shell, command, args, env)
    return runPath(execution, shell, name, args, env)
  }
  const path = name === '' ? null : await findFile(shell, name, true)
  const command = path === null ? null : commandOfPath(shell, path)
  if (command !== null) return runCommand(execution, shell, command, args, env)
  if (path !== null) return runPath(execution, shell, path, args, env)
  await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${shell.host.notFound(shownText(name))}\n`)
  return 127
}

async function runPath(
  execution: Execution,
  shell: Shell,
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const fail = async (message: string, status: number): Promise<number> => {
    await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${path}: ${message}\n`)
    return status
  }
  try {
    const status = await shellFiles(shell).stat(path)
    if (!status) return await fail('No such file or directory', 127)
    if (status.kind === 'directory') return await fail('Is a directory', 126)
    if ((status.mode & 0o111) === 0) return await fail('Permission denied', 126)
    return await runScriptFile(execution, shell, path, args, env)
  } catch (error) {
    if (error instanceof FileError) return fail(error.message, 126)
    throw error
  }
}

async function runCommand(
  execution: Execution,
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  if (name === 'bash' || name === 'sh') return runBash(execution, shell, name, args, env)
  const command = Object.hasOwn(shell.host.commands, name) ? shell.host.commands[name] : undefined
  if (command) return runOwn(execution, shell, name, command, args, env)
  if (shell.host.hasProgram(name)) return runProgram(shell, name, args, env)
  if (name === 'printf' && /%[-+ #0\d.*]*q/.test(args[0] ?? ''))
    throw new Unsupported('printf %q by a path or another command', "the shell's own printf %q, or ${name@Q}")
  const builtin = FILE_BUILTINS.has(name) ? BUILTINS[name] : undefined
  if (!builtin) throw new Error(`no command ${name}`)
  return execution.subshell(shell, async (copy) => runBuiltin(copy, builtin, name, args))
}

async function runOwn(
  execution: Execution,
  shell: Shell,
  name: string,
  command: Command,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const { descriptors } = shell
  const stdout = new BufferedWriter((bytes) => descriptors.get(1)?.write?.(bytes))
  const stderr = new BufferedWriter((bytes) => descriptors.get(2)?.write?.(bytes))
  const io: CommandIo = {
    name,
    args,
    cwd: shell.cwd,
    env,
    stdin: descriptors.get(0)?.input?.reader ?? NOTHING_TO_READ,
    stdout,
    standardFiles: {
      input: descriptors.get(0)?.file ?? null,
      output: descriptors.get(1)?.file ?? null,
    },
    // Errors are written immediately, and output in larger blocks, as in C programs.
    stderr: { write: async (data) => writeNow(stderr, data), flush: async () => stderr.flush() },
    files: shellFiles(shell, shell.cwd, descriptors),
    now: shell.host.now,
    wasm: shell.host.wasm,
    spend: shell.host.spend,
    fresh: shell.host.fresh,
    async exec(argv, options) {
      await stdout.flush()
      const copy = shell.fork()
      const inner: Descriptors = new Map(descriptors)
      if (options?.stdin !== 'inherited')
        inner.set(0, inputDescriptor(bytesReader(options?.stdin ?? new Uint8Array()), true))
      const output = options?.output
      if (output)
        inner.set(1, {
          input: null,
          write: (bytes) => {
            output(bytes)
            return undefined
          },
          close: async () => {},
        })
      const limit = options?.timeoutMs
      if (limit !== undefined) for (const fd of [1, 2]) guardWrites(inner, fd, copy)
      copy.descriptors = inner
      if (options?.cwd !== undefined) copy.cwd = shellFiles(shell).resolve(options.cwd)
      const [started = '', ...rest] = argv
      const startedEnv = options?.replacesEnv ? (options.env ?? {}) : { ...env, ...options?.env }
      const done = execution.subshell(
        shell,
        async () => runStarted(execution, copy, name, started, rest, startedEnv),
        copy,
      )
      return limit === undefined ? done : withTimeout(done, limit, copy)
    },
  }
  try {
    const status = await command.run(io)
    await stdout.flush()
    return status
  } catch (error) {
    if (error instanceof BrokenPipe) return 141
    if (error instanceof Unsupported || !(error instanceof Failed || error instanceof FileError)) throw error
    // Keep output written before the failure, as a real program does.
    await stdout.flush().catch(() => {})
    await writeText(descriptors, 2, `${name}: ${error.message}\n`)
    return error instanceof Failed ? error.exitCode : 1
  }
}

/** Discards output that a command writes after it has been ended. */
function guardWrites(descriptors: Descriptors, fd: number, shell: Shell): void {
  const descriptor = descriptors.get(fd)
  if (!descriptor?.write) return
  const { write } = descriptor
  descriptors.set(fd, {
    ...descriptor,
    write: (bytes) => {
      if (shell.killed !== null) throw new BrokenPipe()
      return write(bytes)
    },
  })
}

async function withTimeout(done: Promise<number>, ms: number, shell: Shell): Promise<number> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<number>((resolve) => {
    timer = setTimeout(() => {
      shell.killed = 143
      shell.host.leaves(done)
      resolve(TIMED_OUT)
    }, ms)
  })
  try {
    return await Promise.race([done, expired])
  } finally {
    clearTimeout(timer)
  }
}

async function writeNow(writer: BufferedWriter, data: string | Uint8Array): Promise<void> {
  await writer.write(data)
  await writer.flush()
}

/** Runs a command that another command starts. The message for a missing command begins with the starter's name. */
async function runStarted(
  execution: Execution,
  shell: Shell,
  starter: string,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const known = name.includes('/') ? true : (await findFile(shell, name, true)) !== null
  if (known) return runExternal(execution, shell, name, args, env)
  // `xargs` quotes names differently, because it is from another package.
  const shown = starter === 'xargs' ? '$1' : '‘$1’'
  await writeText(
    shell.descriptors,
    2,
    `${starter}: ${shell.host.notFound(name).replace(/^(.*?): command not found/, `${shown}: No such file or directory`)}\n`,
  )
  return 127
}
