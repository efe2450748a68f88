// Commands for the user to copy: continue, save files, answer later. Pure.

import { harmlessLine, shellQuote } from '../lib/terminal.ts'

import type { Server } from '../lib/server.ts'
import type { Screen } from './screen.ts'

/** The command that continues a thread. */
export function again({ isUsual, url }: Pick<Server, 'isUsual' | 'url'>, threadId: string): string {
  return `npm run chat -- ${isUsual ? '' : `--url ${shellWord(url)} `}--thread ${shellWord(threadId)}`
}

/** How to answer a waiting call later. */
export function sayHow(
  screen: Screen,
  server: Pick<Server, 'isUsual' | 'url'>,
  {
    thread_id,
    tool_use_id,
    name,
    digest,
  }: {
    readonly thread_id: string
    readonly tool_use_id: string
    readonly name: string
    readonly digest: string
  },
): void {
  const id = shellWord(tool_use_id)
  const command = again(server, thread_id)
  screen.line(
    `${harmlessLine(name)} waits for approval. Nothing was sent. Answer on the page, or with one of:`,
  )
  screen.verbatim(`  ${command} --approve ${id} --digest ${shellWord(digest)}`)
  screen.verbatim(`  ${command} --deny ${id} --note "why"`)
}

/** Typed or received text, quoted for a shell. */
function shellWord(word: string): string {
  const plain = harmlessLine(word)
  return /^[\w:/.-]+$/.test(plain) ? plain : shellQuote(plain)
}
