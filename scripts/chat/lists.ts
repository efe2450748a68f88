// Lists skills and threads in a terminal: one screenful, and how to find the others.

import { readAllPages } from '../../src/client/pages.ts'
import { listCallableSkills, type CallableSkill } from '../../src/client/skills.ts'
import { searchThreads, listThreads } from '../../src/client/threads.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { PAGE_SIZE_MAX } from '../../src/limits/requests.ts'
import { CHAT_LIST_MAX_ENTRIES } from './limits.ts'
import { localTime } from './local-time.ts'

import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { FoundThread, Page, ThreadInfo } from '../../src/thread/api.ts'
import type { ChatSession } from './session.ts'

/** Characters shown of a description; the page shows all of it. */
const EXCERPT_MAX_CHARS = 160

/** Every skill that the user may call. */
export function fetchCallableSkills({
  client,
}: Server): Promise<Result<readonly CallableSkill[], ClientFailure>> {
  return readAllPages((cursor) => listCallableSkills(client, { cursor, limit: PAGE_SIZE_MAX }))
}

export async function listSkills(
  { server, terminal: { screen } }: ChatSession,
  search: string,
): Promise<void> {
  const skills = await fetchCallableSkills(server)
  if (!skills.ok) return screen.fault(explainFailure(skills.error, server.url))
  const needle = search.toLowerCase()
  const matches = skills.value.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(needle),
  )
  if (matches.length === 0)
    return screen.line(search === '' ? 'There are no skills.' : 'No skill matches that.')
  for (const { name, argument_hint, description } of matches.slice(0, CHAT_LIST_MAX_ENTRIES)) {
    const hint = argument_hint === null ? '' : ` ${harmlessLine(argument_hint)}`
    screen.line(`${paint('bold', `/${harmlessLine(name)}`)}${hint}`)
    screen.line(`    ${excerpt(description)}`, 'dim')
  }
  if (matches.length > CHAT_LIST_MAX_ENTRIES) {
    const omittedCount = (matches.length - CHAT_LIST_MAX_ENTRIES).toLocaleString('en-US')
    screen.line(`… and ${omittedCount} more: /skills WORD searches names and descriptions.`, 'dim')
  }
}

export async function showThreads(session: ChatSession, search: string): Promise<void> {
  const { server, terminal } = session
  const firstPage = { limit: CHAT_LIST_MAX_ENTRIES }
  const page: Result<Page<ThreadInfo & Partial<FoundThread>>, ClientFailure> = search === ''
    ? await listThreads(server.client, firstPage)
    : await searchThreads(server.client, search, firstPage)
  if (!page.ok) return terminal.screen.fault(explainFailure(page.error, server.url))
  const { data, next_cursor } = page.value
  session.listedThreadIds = data.map(({ id }) => id)
  if (data.length === 0)
    return terminal.screen.line(search === '' ? 'There are no threads yet.' : 'No thread contains that.')
  for (const [index, { id, title, updated_at, status, match }] of data.entries()) {
    const notes = `${id === session.threadId ? ' · open now' : ''}${status === 'busy' ? ' · running' : ''}`
    const number = `${index + 1}.`.padStart(3)
    terminal.screen.line(
      `${number} ${displayTitle(title)} ${paint('dim', `· ${localTime(updated_at)}${notes}`)}`,
    )
    if (match) terminal.screen.line(`    ${excerpt(match.before + match.hit + match.after)}`, 'dim')
  }
  const hint = next_cursor === null ? '' : ' There are more threads: /threads WORDS searches them.'
  terminal.screen.line(`/open N continues a thread.${hint}`, 'dim')
}

/** The title of a thread, safe to print. */
export function displayTitle(title: string): string {
  return harmlessLine(title) || '(no title)'
}

function excerpt(text: string): string {
  const line = harmlessLine(text)
  return line.length > EXCERPT_MAX_CHARS ? `${line.slice(0, EXCERPT_MAX_CHARS - 1)}…` : line
}
