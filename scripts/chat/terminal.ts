// Sets up the terminal for a command: screen, keyboard and Ctrl-C, and always restores it.

import { Interrupts } from './interrupts.ts'
import { Keyboard } from './keyboard.ts'
import { CHAT_WIDTH_MAX } from './limits.ts'
import { PlainScreen } from './plain-screen.ts'
import { RichScreen } from './rich-screen.ts'

import type { Screen, Write } from './screen.ts'
import type { Manner } from './turn.ts'

/** The exit status of a process that Ctrl-C ended. */
const INTERRUPTED = 130

/** `keyboard`: null unless both ends are terminals. */
export async function atTerminal(
  { thinking, folder }: Pick<Manner, 'thinking' | 'folder'>,
  work: (manner: Manner, keyboard: Keyboard | null) => Promise<number>,
): Promise<number> {
  return withSignals(async (interrupts, hear) => {
    const keyboard = process.stdin.isTTY && process.stdout.isTTY ? keyboardOf(interrupts) : null
    if (keyboard) hear(() => keyboard.interrupted())
    const screen = screenOf(process.stdout, process.env)
    try {
      return await work({ thinking, folder, screen, interrupts, ask: keyboard?.ask ?? null }, keyboard)
    } finally {
      keyboard?.close()
    }
  })
}

/** Passes Ctrl-C to the current handler; without one it ends the process. `hear` gets it first. */
export async function withSignals(
  work: (interrupts: Interrupts, hear: (handler: () => void) => void) => Promise<number>,
): Promise<number> {
  const interrupts = new Interrupts()
  let handler = (): void => {
    if (!interrupts.raise()) process.exit(INTERRUPTED)
  }
  const letGo = interrupts.take(() => handler())
  try {
    return await work(interrupts, (other) => {
      handler = other
    })
  } finally {
    letGo()
  }
}

function keyboardOf(interrupts: Interrupts): Keyboard {
  const keyboard = new Keyboard({
    input: process.stdin,
    output: process.stdout,
    isDumb: process.env['TERM'] === 'dumb',
    onInterrupt: () => {
      if (interrupts.raise()) return
      keyboard.close()
      process.exit(INTERRUPTED)
    },
  })
  return keyboard
}

/** Rendered if the terminal can move its cursor, else plain. */
function screenOf(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Screen {
  const write: Write = (text) => stream.write(text)
  return stream.isTTY && environment['TERM'] !== 'dumb'
    ? new RichScreen(
        write,
        (text) => process.stderr.write(text),
        () => stream.columns || 80,
      )
    : new PlainScreen(write, Math.min(CHAT_WIDTH_MAX, stream.columns || CHAT_WIDTH_MAX))
}
