// Asks the user questions in the terminal. Without a terminal, commands must not ask, because they would hang.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question and returns one line of input, trimmed, or '' at the end of input. */
export type Ask = (question: string) => Promise<string>

/** Asks a question and returns one line of input; null at the end of input or if the signal cancels the question. */
export type AskLine = (question: string, signal?: AbortSignal) => Promise<string | null>

/** Like terminalLineReader, but for answers where the end of input means ''. */
export function terminalAsker(): Ask | null {
  const line = terminalLineReader()
  return line && (async (question) => (await line(question)) ?? '')
}

/** Returns a function that asks in the terminal; null unless standard input and output are both a terminal. */
export function terminalLineReader(): AskLine | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  return lineReader(process.stdin, process.stdout)
}

export function lineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskLine {
  return async (question, signal) => {
    if (signal?.aborted) return null
    const reader = createInterface({ input, output })
    const cancel = (): void => reader.close()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
      return (await Promise.race([reader.question(question), closed]))?.trim() ?? null
    } finally {
      signal?.removeEventListener('abort', cancel)
      reader.close()
    }
  }
}

/** Like terminalLineReader, but does not show the input. */
export function terminalSecretReader(): AskLine | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  return secretReader(process.stdin, process.stdout)
}

export function secretReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskLine {
  const discardedOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  return async (question) => {
    // Terminal mode stops the real terminal from echoing. Print the question afterward, so that an early answer is not
    // echoed either.
    const reader = createInterface({ input, output: discardedOutput, terminal: true })
    try {
      output.write(question)
      const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
      return (await Promise.race([reader.question(''), closed]))?.trim() ?? null
    } finally {
      reader.close()
      output.write('\n')
    }
  }
}

export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer)
}
