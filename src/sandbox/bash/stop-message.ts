// The final message of a stopped shell, which says which limit was reached and what to do instead. All files that the
// shell wrote are discarded.

import type { GuestLimits, StopReason } from '../guest.ts'
import { BASH_STRETCH_MS } from '../../limits/sandbox.ts'

const FILES_DISCARDED = 'The files that this call wrote were discarded.'

/** The message for stderr. `refusal` is the message of the command that refused its input or options, if one did. */
export function stopMessage(stopped: StopReason, limits: GuestLimits, refusal: string): string {
  if (stopped === 'refused') return `${refusal}\nbash: the script ended there. ${FILES_DISCARDED}\n`
  return `bash: stopped: ${REASONS[stopped](limits)} ${FILES_DISCARDED}\n`
}

const REASONS: Readonly<Record<Exclude<StopReason, 'refused'>, (limits: GuestLimits) => string>> = {
  time: ({ wallMs }) =>
    `the call took longer than ${wallMs / 1_000} s. Do less in one call, or ask for more time if your tool lets you.`,
  steps: ({ steps }) =>
    `the call computed more than ${Math.round(steps / 1e6)} million steps. Do less in one call, or use python3 or node for it.`,
  output: ({ outputBytes }) =>
    `the call printed more than ${outputBytes} bytes. Write them to a file, and show a part with head or tail.`,
  memory: () =>
    'a text, list, recursion or expansion grew too large. See the lines above, and work on one part at a time.',
  files: ({ fileBytes, files }) =>
    `the call wrote more than ${files} files or ${fileBytes} bytes. Write fewer, and remove what is not needed.`,
  cancelled: () => 'the call was cancelled.',
  stall: () =>
    `a single command computed for longer than ${BASH_STRETCH_MS / 1_000} s without a pause. ` +
    'Give it less input at a time (head, split), or use python3 or node for it.',
}
