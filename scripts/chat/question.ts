// The answer to what the agent asked: a number of its choices, or own words.

import type { AskLine } from '../lib/ask.ts'

/** The next message; null: nobody answers now. The question itself is on the screen. */
export async function askBack(ask: AskLine, options: readonly string[]): Promise<string | null> {
  const typed = await ask(
    options.length > 0 ? 'Your answer (a number, or your own words): ' : 'Your answer: ',
  )
  return typed === null || typed === '' ? null : chosenOption(typed, options)
}

/** `2` is the second choice; a number that none has is words. */
export function chosenOption(typed: string, options: readonly string[]): string {
  return (/^\d{1,3}\.?$/.test(typed) ? options[Number.parseInt(typed, 10) - 1] : undefined) ?? typed
}
