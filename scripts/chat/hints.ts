// Prints commands that the user can copy: to continue a thread, save its files, or decide on a call later.

import { harmlessLine, shellWord } from '../lib/terminal.ts'

import type { Server } from '../lib/server.ts'
import type { Screen } from './screen.ts'

/** The command that continues a thread; the user's last one if `threadId` is null. */
export function continueCommand(
  { isDefault, url }: Pick<Server, 'isDefault' | 'url'>,
  threadId: string | null,
): string {
  return `npm run chat -- ${isDefault ? '' : `--url ${shellWord(url)} `}${threadId === null ? '--last' : `--thread ${shellWord(threadId)}`}`
}

/** Shows how to decide on a waiting call later. */
export function showLaterCommands(
  screen: Screen,
  server: Pick<Server, 'isDefault' | 'url'>,
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
  const command = continueCommand(server, thread_id)
  screen.line(
    `${harmlessLine(name)} is waiting for approval. Nothing was sent. Decide on the page, or run one of these:`,
  )
  screen.verbatim(`  ${command} --approve ${id} --digest ${shellWord(digest)}`)
  screen.verbatim(`  ${command} --deny ${id} --note "why"`)
}
