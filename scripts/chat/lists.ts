// Lists of skills and threads in a terminal: a screenful, and how to find the rest.

import { everyPage } from '../../src/client/pages.ts'
import { callableSkills, type CallableSkill } from '../../src/client/skills.ts'
import { searchThreads, threads } from '../../src/client/threads.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { PAGE_MAX } from '../../src/limits/requests.ts'
import { CHAT_LIST_MAX } from './limits.ts'

import type { ClientFailure } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { FoundThread, Page, ThreadInfo } from '../../src/thread/api.ts'
import type { ChatSession } from './session.ts'

/** Characters of a description; the page shows all of it. */
const ABOUT_CHARS = 160

/** Every skill that the user may call. */
export function callable({ client }: Server): Promise<Result<readonly CallableSkill[], ClientFailure>> {
  return everyPage((cursor) => callableSkills(client, { cursor, limit: PAGE_MAX }))
}

export async function listSkills({ server, manner: { screen } }: ChatSession, search: string): Promise<void> {
  const skills = await callable(server)
  if (!skills.ok) return screen.fault(explainFailure(skills.error, server.url))
  const wanted = search.toLowerCase()
  const found = skills.value.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  )
  if (found.length === 0) return screen.line(search === '' ? 'There are no skills.' : 'No skill says that.')
  for (const { name, argument_hint, description } of found.slice(0, CHAT_LIST_MAX)) {
    const hint = argument_hint === null ? '' : ` ${harmlessLine(argument_hint)}`
    screen.line(`${paint('bold', `/${harmlessLine(name)}`)}${hint}`)
    screen.line(`    ${short(description)}`, 'dim')
  }
  if (found.length > CHAT_LIST_MAX) {
    const more = (found.length - CHAT_LIST_MAX).toLocaleString('en-US')
    screen.line(`… and ${more} more: /skills WORD looks in names and descriptions.`, 'dim')
  }
}

export async function showThreads(session: ChatSession, search: string): Promise<void> {
  const { server, manner } = session
  const first = { limit: CHAT_LIST_MAX }
  const page: Result<Page<ThreadInfo & Partial<FoundThread>>, ClientFailure> = search === ''
    ? await threads(server.client, first)
    : await searchThreads(server.client, search, first)
  if (!page.ok) return manner.screen.fault(explainFailure(page.error, server.url))
  const { data, next_cursor } = page.value
  session.listed = data.map(({ id }) => id)
  if (data.length === 0)
    return manner.screen.line(search === '' ? 'There are no threads yet.' : 'No thread says that.')
  for (const [at, { id, title, updated_at, status, match }] of data.entries()) {
    const marks = `${id === session.threadId ? ' · this one' : ''}${status === 'busy' ? ' · at work' : ''}`
    const number = `${at + 1}.`.padStart(3)
    manner.screen.line(`${number} ${titled(title)} ${paint('dim', `· ${day(updated_at)}${marks}`)}`)
    if (match) manner.screen.line(`    ${short(match.before + match.hit + match.after)}`, 'dim')
  }
  const more = next_cursor === null ? '' : ' There are more: /threads WORDS looks for them.'
  manner.screen.line(`/open N continues one.${more}`, 'dim')
}

export function titled(title: string): string {
  return harmlessLine(title) || '(no title)'
}

/** `2026-11-23 14:05`, in local time. */
function day(at: string): string {
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  return Number.isNaN(date.getTime())
    ? harmlessLine(at)
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function short(text: string): string {
  const line = harmlessLine(text)
  return line.length > ABOUT_CHARS ? `${line.slice(0, ABOUT_CHARS - 1)}…` : line
}
