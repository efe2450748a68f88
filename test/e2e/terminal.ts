// A person at a real pseudo-terminal: sends keys, and reads the screen through a terminal emulator.

import { join } from 'node:path'

import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

import { ADMIN_KEY, ROOT, until } from './satchel.ts'

export const CTRL_C = '\x03'
export const CTRL_D = '\x04'
export const UP = '\x1b[A'

/** The bytes that a terminal sends for pasted text. */
export function pasted(text: string): string {
  return `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`
}

export interface Person {
  type(keys: string): void
  /** The screen and what scrolled off it, without trailing spaces. */
  screen(): string
  /** Waits until the screen shows `what`, behind the last occurrence of `after` if given. */
  sees(what: string | RegExp, after?: string | RegExp): Promise<string>
  /** Every byte that the command wrote. */
  raw(): string
  /** Waits until the command ends. Returns its status. */
  left(): Promise<number>
  /** Ends the command by its own process id if it is still running. */
  end(): void
}

export interface Window {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** A file of `scripts/`. Default: `chat.ts`. */
  readonly script?: string
}

/** Starts a command at a terminal of 24 lines, by default without a history file. */
export function withTerminal(
  args: readonly string[],
  { columns = 100, env = {}, script = 'chat.ts' }: Window = {},
): Person {
  const terminal = new xterm.Terminal({ cols: columns, rows: 24, scrollback: 5_000, allowProposedApi: true })
  let raw = ''
  let status: number | null = null
  /** Chunks that the emulator has not put on its screen yet: it does so later. */
  let unshown = 0
  const child = spawn(process.execPath, [join(ROOT, 'scripts', script), ...args], {
    cols: columns,
    rows: 24,
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm-256color',
      ADMIN_KEY,
      SATCHEL_HISTORY: '',
      ...env,
    },
  })
  child.onData((data) => {
    raw += data
    unshown++
    terminal.write(data, () => unshown--)
  })
  child.onExit(({ exitCode }) => (status = exitCode))
  const screen = (): string => {
    const { buffer } = terminal
    const lines = Array.from(
      { length: buffer.active.length },
      (_, at) => buffer.active.getLine(at)?.translateToString(true) ?? '',
    )
    return lines.join('\n').trimEnd()
  }
  return {
    type: (keys) => child.write(keys),
    screen,
    sees: async (what, after) => {
      const seen = (): string | null => {
        const all = screen()
        const from = after === undefined ? 0 : lastEnd(all, after)
        const found = from === null ? -1 : lastEnd(all.slice(from), what)
        return found === null || found < 0 ? null : all
      }
      return until(`the screen shows ${String(what)}`, seen).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${screen()}`, { cause: error })
      })
    },
    raw: () => raw,
    left: async () => {
      await until('the command ends', () => status !== null && unshown === 0).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${screen()}`, { cause: error })
      })
      return status ?? -1
    },
    end: () => {
      if (status === null) child.kill('SIGKILL')
    },
  }
}

/** Where the last match ends; null if there is none. */
function lastEnd(text: string, what: string | RegExp): number | null {
  if (typeof what === 'string') {
    const at = text.lastIndexOf(what)
    return at < 0 ? null : at + what.length
  }
  const found = [...text.matchAll(new RegExp(what, what.flags.includes('g') ? what.flags : `${what.flags}g`))]
  const last = found.at(-1)
  return last ? last.index + last[0].length : null
}
