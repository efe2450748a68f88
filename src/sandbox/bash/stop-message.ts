// What a stopped shell says last: which limit it met, and what to do instead. Nothing that it wrote is kept.

import type { GuestLimits, Stopped } from '../guest.ts'
import { BASH_STRETCH_MS } from '../../limits/sandbox.ts'

const KEPT = 'Nothing that this call wrote is kept.'

/** A line for stderr. */
export function stopMessage(stopped: Stopped, limits: GuestLimits): string {
  return `bash: stopped: ${WORDS[stopped](limits)} ${KEPT}\n`
}

const WORDS: Readonly<Record<Stopped, (limits: GuestLimits) => string>> = {
  time: ({ wallMs }) =>
    `the call took longer than ${wallMs / 1_000} s. Do less in one call, or ask for more time if your tool lets you.`,
  steps: ({ steps }) =>
    `the call computed more than ${Math.round(steps / 1e6)} million steps. Do less in one call, or use a program for it.`,
  output: ({ outputBytes }) =>
    `the call printed more than ${outputBytes} bytes. Write them to a file, and show a part with head or tail.`,
  memory: () =>
    'one text, list, recursion or expansion grew too large. Read the lines above; work on a part at a time.',
  files: ({ fileBytes, files }) =>
    `the call wrote more than ${files} files or ${fileBytes} bytes. Write fewer, and remove what is not needed.`,
  cancelled: () => 'the call was cancelled.',
  stall: () =>
    `one command computed for longer than ${BASH_STRETCH_MS / 1_000} s, and a command here cannot pause. ` +
    'Give it less at once (head, split), or use a program for it.',
}

/** Of a command that a limit refused, while the script went on: whatever took its output, or hid its words. */
export function refusalMessage(message: string): string {
  return `bash: the output of this call is incomplete: a command was refused (${message}). Give it less at once, or use a program for it.\n`
}
