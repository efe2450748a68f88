// Questions to the person at the terminal. Where there is none, nobody is asked and nobody hangs.

import { createInterface } from 'node:readline/promises'

/** One line of an answer, trimmed; '' when the input ends. */
export type Ask = (question: string) => Promise<string>

/** Null unless both ends are a terminal. */
export function terminalAsk(): Ask | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  return async (question) => {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    try {
      const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
      return (await Promise.race([reader.question(question), closed])).trim()
    } finally {
      reader.close()
    }
  }
}

export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer)
}
