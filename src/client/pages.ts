// Lists of our API, a page at a time or whole.

import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { Answer, ClientFailure } from './types.ts'

/** Who sends the requests. */
interface Asker {
  json<T>(method: string, path: string): Promise<Result<Answer<T>, ClientFailure>>
}

/** Where a page begins, null or absent: at its list's beginning; and how many items it may have, from 1 to PAGE_MAX. */
export interface PageAsk {
  readonly cursor?: string | null
  readonly limit?: number
}

/** One page of the list at `path`. `query`: what else is asked. */
export async function pageOf<T, P extends Page<T> = Page<T>>(
  client: Asker,
  path: string,
  query: Readonly<Record<string, string>>,
  { cursor = null, limit }: PageAsk,
): Promise<Result<P, ClientFailure>> {
  const asked = new URLSearchParams(query)
  if (limit !== undefined) asked.set('limit', String(limit))
  if (cursor !== null) asked.set('cursor', cursor)
  const answer = await client.json<P>('GET', asked.size === 0 ? path : `${path}?${asked.toString()}`)
  return answer.ok ? ok(answer.value.body) : answer
}

/** The items of all pages, in their order. */
export async function everyPage<T>(
  ask: (cursor: string | null) => Promise<Result<Page<T>, ClientFailure>>,
): Promise<Result<readonly T[], ClientFailure>> {
  const all: T[] = []
  for (let cursor: string | null = null; ;) {
    const page: Result<Page<T>, ClientFailure> = await ask(cursor)
    if (!page.ok) return page
    all.push(...page.value.data)
    cursor = page.value.next_cursor
    if (cursor === null) return ok(all)
  }
}
