// Runs scripts: lines, lists, pipelines.

import { Unsupported } from '../../commands/command.ts'
import { BrokenPipe } from '../../commands/io/writer.ts'
import { FileError } from '../../commands/io/files.ts'
import { Pipe } from '../../commands/io/pipe.ts'
import { messagePrefix } from '../builtins/builtin.ts'
import { nullDescriptor, pipedInput, pipeDescriptor, writeText } from '../state/descriptors.ts'
import { CommandError, ExitFlow, FailedAssignment, LineFlow, LoopFlow, ReturnFlow } from '../state/flow.ts'
import { UnboundVariable } from '../state/assign.ts'
import type { Job, Shell } from '../state/shell.ts'
import { Parser } from '../syntax/parser.ts'
import { ScriptError, Source } from '../syntax/source.ts'
import type { ChainLink, Command, ListItem, Pipeline, Script } from '../syntax/tree.ts'
import { printChain, printCommand } from '../syntax/print.ts'
import { runCompound } from './compound.ts'
import type { Execution } from './execution.ts'
import { announce, runEvent, runExitTrap } from './events.ts'
import { closeProcesses } from './processes.ts'
import { runExternal } from './external.ts'
import { runSimple } from './simple.ts'
import { substitute, substituteProcess } from './substitution.ts'
import { timed } from './timing.ts'

/** Maximum number of nested or concurrent shells and scripts. Each has its own copy of the variables. */
const SHELLS_MAX = 200

export class Executor implements Execution {
  /** Runs a text in this shell, line by line. */
  async text(shell: Shell, text: string, line: number): Promise<number> {
    return this.deeper(shell, async () => {
      const parser = new Parser(new Source(text, line), shell.options.isOn('extglob'))
      let ran = false
      for (;;) {
        parser.extendedPatterns = shell.options.isOn('extglob')
        const script = await this.#parsed(shell, parser)
        if (!script) return ran ? shell.status : 0
        ran = true
        try {
          await this.list(shell, script)
        } catch (error) {
          if (!(error instanceof LineFlow)) throw error
          shell.status = error.status
          shell.pipeStatus = [error.status]
          if (shell.level > 0) throw new ExitFlow(error.status)
        }
      }
    })
  }

  /** Parses the next line. Resolves to null at the end, or after reporting a syntax error. */
  async #parsed(shell: Shell, parser: Parser): Promise<Script | null> {
    try {
      return parser.nextLine()
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const name = shell.script ?? (shell.fromArgument ? `${shell.name}: -c` : shell.name)
      const prefix = `${name}: line ${error.line}: `
      const { text, firstLine } = parser.source
      const near = text.split('\n')[error.line - firstLine] ?? ''
      const shown = error.message.includes('near unexpected token') ? `${prefix}\`${near}'\n` : ''
      await writeText(shell.descriptors, 2, `${prefix}${error.message}\n${shown}`)
      shell.status = 2
      throw new SyntaxExit(2)
    }
  }

  async list(shell: Shell, script: Script): Promise<number> {
    for (const item of script.items) {
      if (shell.killed !== null) throw new ExitFlow(shell.killed)
      if (item.background) this.#background(shell, item)
      else await this.#chain(shell, item.chain)
      for (const name of shell.pendingSignals.splice(0)) await this.signal(shell, name)
    }
    return shell.status
  }

  #background(shell: Shell, item: ListItem): void {
    const copy = shell.fork()
    // A background command does not read from the script's input.
    if (shell.descriptors.get(0)) copy.descriptors.set(0, nullDescriptor())
    let finished = false
    let end: (status: number) => void = () => {}
    const ended = new Promise<number>((resolve) => (end = resolve))
    const running = this.subshell(
      shell,
      async () => {
        await this.#chain(copy, item.chain)
        return copy.status
      },
      copy,
    ).finally(() => (finished = true))
    running.catch(() => {}) // A failure of the shell itself is thrown where the job is awaited.
    const job: Job = {
      id: copy.id,
      source: printChain(item.chain),
      done: Promise.race([running, ended]),
      get finished() {
        return finished
      },
      waited: false,
      end: (status) => {
        copy.killed = status
        shell.host.leaves(running)
        finished = true
        end(status)
      },
    }
    // The script does not wait for a job that it killed, which may be sleeping.
    shell.session.background.push(job.done)
    shell.jobs.push(job)
    shell.lastJob = job
    shell.status = 0
  }

  async #chain(shell: Shell, chain: readonly ChainLink[]): Promise<void> {
    for (const [index, { operator, pipeline }] of chain.entries()) {
      if (operator === '&&' && shell.status !== 0) continue
      if (operator === '||' && shell.status === 0) continue
      if (shell.killed !== null) throw new ExitFlow(shell.killed)
      const last = index === chain.length - 1
      const tested = !last || pipeline.negated
      if (tested) shell.conditions++
      try {
        await this.#pipeline(shell, pipeline)
      } finally {
        if (tested) shell.conditions--
      }
      if (!tested && shell.status !== 0 && shell.conditions === 0 && failsShell(pipeline))
        await this.#failed(shell)
    }
  }

  /** Handles a failure that no condition tests: runs the ERR trap, and applies `set -e`. */
  async #failed(shell: Shell): Promise<void> {
    const { status } = shell
    await runEvent(this, shell, 'ERR')
    shell.status = status
    if (shell.options.isOn('errexit')) throw new ExitFlow(status)
  }

  async #pipeline(shell: Shell, { commands, negated, timed: time }: Pipeline): Promise<void> {
    const run = async (): Promise<void> => {
      const [only] = commands
      if (commands.length > 1) await this.#pipe(shell, commands)
      else if (only) {
        shell.status = await this.command(shell, only)
        if (only.kind === 'simple' || only.body.kind !== 'function') shell.pipeStatus = [shell.status]
      }
    }
    await (time ? timed(shell, time, run) : run())
    if (negated) shell.status = shell.status === 0 ? 1 : 0
  }

  async #pipe(shell: Shell, commands: readonly Command[]): Promise<void> {
    const last = commands.length - 1
    const inShell = shell.options.isOn('lastpipe')
    const pipes = commands.slice(1).map(() => new Pipe())
    const before = shell.descriptors
    for (const [index, command] of commands.entries())
      if (command.kind === 'simple' && !(inShell && index === last))
        await announce(this, shell, () => printCommand(command))
    const statuses = await Promise.all(
      commands.map(async (command, index) => {
        const [from, to] = [pipes[index - 1], pipes[index]]
        const own = index === last && inShell
        const copy = own ? shell : shell.fork()
        if (!own) copy.listedJobs = [...shell.listedJobs, ...shell.jobs]
        const descriptors = new Map(before)
        if (from) descriptors.set(0, pipedInput(from))
        if (to) descriptors.set(1, pipeDescriptor(to))
        copy.descriptors = descriptors
        try {
          return await (own
            ? this.command(shell, command)
            : this.subshell(shell, async () => this.command(copy, command), copy))
        } finally {
          to?.end()
          from?.close()
        }
      }),
    )
    shell.descriptors = before
    shell.pipeStatus = statuses
    const failed = shell.options.isOn('pipefail') ? statuses.findLast((status) => status !== 0) : undefined
    shell.status = failed ?? statuses.at(-1) ?? 0
  }

  async command(shell: Shell, command: Command): Promise<number> {
    const opened = shell.processes.length
    try {
      shell.line = command.line
      return command.kind === 'simple'
        ? await runSimple(this, shell, command)
        : await runCompound(this, shell, command)
    } catch (error) {
      return await this.#failure(shell, error)
    } finally {
      await closeProcesses(shell, opened)
    }
  }

  /** The exit code for an error that a command threw. Rethrows errors that are not the command's own failure. */
  async #failure(shell: Shell, error: unknown): Promise<number> {
    if (error instanceof BrokenPipe) return 141
    if (error instanceof Unsupported || !(error instanceof CommandError || error instanceof FileError))
      throw error
    await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${error.message}\n`)
    if (error instanceof UnboundVariable) throw new ExitFlow(fatalStatus(shell))
    const status = error instanceof CommandError ? error.status : 1
    // `${x:?}` ends the shell; any other failed expansion ends the line.
    if (status === 127) throw new ExitFlow(fatalStatus(shell))
    throw new LineFlow(status, error instanceof FailedAssignment ? 2 : status)
  }

  async subshell(shell: Shell, run: (copy: Shell) => Promise<number>, copy = shell.fork()): Promise<number> {
    return this.deeper(shell, async () => {
      try {
        copy.status = await run(copy)
      } catch (error) {
        copy.status = statusOfFlow(error, copy)
      }
      await runExitTrap(this, copy)
      return copy.killed ?? copy.status
    })
  }

  async deeper<T>(shell: Shell, run: () => Promise<T>): Promise<T> {
    const { session } = shell
    if (++session.depth > SHELLS_MAX) session.host.tooMuch()
    try {
      return await run()
    } finally {
      session.depth--
    }
  }

  async substitute(shell: Shell, body: Script | string, line: number): Promise<Uint8Array> {
    return substitute(this, shell, body, line)
  }

  async process(shell: Shell, direction: '<' | '>', body: Script): Promise<string> {
    return substituteProcess(this, shell, direction, body)
  }

  async external(
    shell: Shell,
    name: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<number> {
    return runExternal(this, shell, name, args, env)
  }

  async signal(shell: Shell, name: string): Promise<void> {
    const command = shell.traps.get(name)
    if (command === '') return
    if (command !== null) return runEvent(this, shell, name)
    if (/^(?:CHLD|CONT|URG|WINCH)$/.test(name)) return undefined
    throw new ExitFlow(128 + signalStatus(name))
  }
}

/** The exit code after `${x:?}` or an unbound variable. */
function fatalStatus(shell: Shell): number {
  return shell.level > 0 || shell.options.isOn('errexit') ? 1 : 127
}

/** A syntax error ends the script. */
class SyntaxExit extends ExitFlow {}

function signalStatus(name: string): number {
  const known: Readonly<Record<string, number>> = {
    HUP: 1,
    INT: 2,
    QUIT: 3,
    ABRT: 6,
    KILL: 9,
    USR1: 10,
    USR2: 12,
    PIPE: 13,
    ALRM: 14,
    TERM: 15,
  }
  return known[name] ?? 15
}

/** Whether `set -e` applies to a failure of this pipeline: not if it is a compound command in the same shell. */
function failsShell({ commands }: Pipeline): boolean {
  const [only] = commands
  if (commands.length > 1 || !only) return true
  return only.kind === 'simple' || /^(?:subshell|condition|arithmetic)$/.test(only.body.kind)
}

function statusOfFlow(error: unknown, shell: Shell): number {
  if (error instanceof ExitFlow || error instanceof ReturnFlow || error instanceof LineFlow)
    return error.status
  if (error instanceof LoopFlow) return shell.status
  throw error
}
