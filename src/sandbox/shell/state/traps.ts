// Commands registered with `trap`, by event.

import type { Options } from './options.ts'

/** The signals in the order of their numbers on Linux, which start at 1. */
const SIGNALS = [
  'HUP',
  'INT',
  'QUIT',
  'ILL',
  'TRAP',
  'ABRT',
  'BUS',
  'FPE',
  'KILL',
  'USR1',
  'SEGV',
  'USR2',
  'PIPE',
  'ALRM',
  'TERM',
  'STKFLT',
  'CHLD',
  'CONT',
  'STOP',
  'TSTP',
  'TTIN',
  'TTOU',
  'URG',
  'XCPU',
  'XFSZ',
  'VTALRM',
  'PROF',
  'WINCH',
  'IO',
  'PWR',
  'SYS',
] as const
const EVENTS = ['EXIT', 'DEBUG', 'ERR', 'RETURN']

export class Traps {
  readonly #commands: Map<string, string>
  /** Signals that were ignored when the shell started, which `trap` cannot change. */
  readonly #ignored: ReadonlySet<string>
  /** Events whose command is running. A trap does not trigger itself. */
  readonly running = new Set<string>()

  constructor(commands: Map<string, string> = new Map(), ignored: ReadonlySet<string> = new Set()) {
    this.#commands = commands
    this.#ignored = ignored
  }

  /** The command of an event. The empty string means that the event is ignored, null that it has no trap. */
  get(event: string): string | null {
    return this.#commands.get(event) ?? null
  }

  set(event: string, command: string | null): void {
    if (this.#ignored.has(event)) return
    if (command === null) this.#commands.delete(event)
    else this.#commands.set(event, command)
  }

  entries(): [string, string][] {
    const order = (event: string): number =>
      event === 'EXIT' ? 0 : (signalNumber(event) ?? 100 + EVENTS.indexOf(event))
    return [...this.#commands].sort(([a], [b]) => order(a) - order(b))
  }

  /** The traps of a subshell: ignored signals, ERR with `set -E`, DEBUG and RETURN with `set -T`. */
  inherited(options: Options): Traps {
    return new Traps(
      new Map(
        [...this.#commands].filter(
          ([event, command]) =>
            (command === '' && event !== 'EXIT') ||
            (event === 'ERR' && options.isOn('errtrace')) ||
            (/^(?:DEBUG|RETURN)$/.test(event) && options.isOn('functrace')),
        ),
      ),
      this.#ignored,
    )
  }

  /** The traps of another program: the signals that this shell ignores. */
  ofProgram(): Traps {
    const ignored = this.entries().filter(
      ([event, command]) => command === '' && signalNumber(event) !== null,
    )
    return new Traps(new Map(ignored), new Set(ignored.map(([event]) => event)))
  }
}

/** The canonical name of an event (`SIGINT`, `int`, `2` and `INT` are the same); null if there is no such event. */
export function eventName(text: string): string | null {
  if (/^\d+$/.test(text)) return text === '0' ? 'EXIT' : (SIGNALS[Number(text) - 1] ?? null)
  const name = text.toUpperCase().replace(/^SIG/, '')
  return SIGNALS.some((signal) => signal === name) || EVENTS.includes(name) ? name : null
}

export function signalNumber(event: string): number | null {
  const index = SIGNALS.findIndex((signal) => signal === event)
  return index === -1 ? null : index + 1
}

export function signalNames(): readonly string[] {
  return SIGNALS
}

/** The name as `trap -p` prints it. */
export function printedName(event: string): string {
  return EVENTS.includes(event) ? event : `SIG${event}`
}
