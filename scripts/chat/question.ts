// The answer to the agent's question: a number of a choice, or free text.

import type { AskLine } from '../lib/ask.ts'

/** The next message; null if nobody answers. The question is on the screen already. */
export async function askBack(ask: AskLine, options: readonly string[]): Promise<string | null> {
  const typed = await ask(
    options.length > 0 ? 'Your answer (a number, or your own words): ' : 'Your answer: ',
  )
  return typed === null || typed === '' ? null : chosenOption(typed, options)
}

/** `2` is the second choice; a number without a choice is text. */
export function chosenOption(typed: string, options: readonly string[]): string {
  return (/^\d{1,3}\.?$/.test(typed) ? options[Number.parseInt(typed, 10) - 1] : undefined) ?? typed
}
