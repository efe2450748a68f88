// Sets up the terminal for a command (screen, keyboard and Ctrl-C), and always restores it.

import { Interrupts } from './interrupts.ts'
import { Keyboard } from './keyboard.ts'
import { CHAT_MAX_COLUMNS } from './limits.ts'
import { PlainScreen } from './plain-screen.ts'
import { RichScreen } from './rich-screen.ts'

import type { Screen, Write } from './screen.ts'
import type { ChatTerminal } from './turn.ts'

/** The exit status of a process that Ctrl-C ended. */
const INTERRUPTED_STATUS = 130

/** Runs `work` with the terminal set up. `keyboard` is null unless both input and output are terminals. */
export async function withTerminal(
  { showsThinking, outputFolder }: Pick<ChatTerminal, 'showsThinking' | 'outputFolder'>,
  work: (terminal: ChatTerminal, keyboard: Keyboard | null) => Promise<number>,
): Promise<number> {
  return withInterrupts(async (interrupts, setHandler) => {
    const keyboard = process.stdin.isTTY && process.stdout.isTTY ? createKeyboard(interrupts) : null
    if (keyboard) setHandler(() => keyboard.interrupt())
    const screen = createScreen(process.stdout, process.env)
    try {
      return await work(
        { showsThinking, outputFolder, screen, interrupts, ask: keyboard?.ask ?? null, keyboard },
        keyboard,
      )
    } finally {
      keyboard?.close()
    }
  })
}

/**
 * Passes Ctrl-C to the handler in `interrupts`, or ends the process if there is none. `work` may replace this
 * by another handler for the signal, with `setHandler`.
 */
export async function withInterrupts(
  work: (interrupts: Interrupts, setHandler: (handler: () => void) => void) => Promise<number>,
): Promise<number> {
  const interrupts = new Interrupts()
  let handler = (): void => {
    if (!interrupts.tryHandle()) process.exit(INTERRUPTED_STATUS)
  }
  const stopListening = interrupts.listenForSignal(() => handler())
  try {
    return await work(interrupts, (newHandler) => {
      handler = newHandler
    })
  } finally {
    stopListening()
  }
}

function createKeyboard(interrupts: Interrupts): Keyboard {
  const keyboard = new Keyboard({
    input: process.stdin,
    output: process.stdout,
    isDumbTerminal: process.env['TERM'] === 'dumb',
    onInterrupt: () => {
      if (interrupts.tryHandle()) return
      keyboard.close()
      process.exit(INTERRUPTED_STATUS)
    },
  })
  return keyboard
}

/** A screen that renders Markdown if the terminal can move its cursor, otherwise a plain one. */
function createScreen(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Screen {
  const write: Write = (text) => stream.write(text)
  const writeError: Write = (text) => process.stderr.write(text)
  return stream.isTTY && environment['TERM'] !== 'dumb'
    ? new RichScreen(write, writeError, () => stream.columns || 80)
    : new PlainScreen(write, Math.min(CHAT_MAX_COLUMNS, stream.columns || CHAT_MAX_COLUMNS))
}
