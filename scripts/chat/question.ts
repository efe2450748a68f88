// Reads the answer to the agent's question: the number of a choice, or free text.

import type { AskLine } from '../lib/ask.ts'

/**
 * The answer, to send as the next message, or null if nobody answers. The question is already on the screen.
 */
export async function readAnswer(ask: AskLine, options: readonly string[]): Promise<string | null> {
  const input = await ask(
    options.length > 0 ? 'Your answer (a number, or your own words): ' : 'Your answer: ',
  )
  return input === null || input === '' ? null : chosenOption(input, options)
}

/** `2` is the second choice; a number that matches no choice is text. */
export function chosenOption(input: string, options: readonly string[]): string {
  return (/^\d{1,3}\.?$/.test(input) ? options[Number.parseInt(input, 10) - 1] : undefined) ?? input
}
