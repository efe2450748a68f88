// Lists of the API, by page or complete.

import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { Answer, ClientFailure } from './types.ts'

/** Sends the requests. */
interface Asker {
  json<T>(method: string, path: string): Promise<Result<Answer<T>, ClientFailure>>
}

/** The start of a page, null or absent: the first page; and its size, from 1 to PAGE_MAX. */
export interface PageAsk {
  readonly cursor?: string | null
  readonly limit?: number
}

/** One page of the list at `path`. `query`: other parameters. */
export async function pageOf<T, P extends Page<T> = Page<T>>(
  client: Asker,
  path: string,
  query: Readonly<Record<string, string>>,
  { cursor = null, limit }: PageAsk,
): Promise<Result<P, ClientFailure>> {
  const params = new URLSearchParams(query)
  if (limit !== undefined) params.set('limit', String(limit))
  if (cursor !== null) params.set('cursor', cursor)
  const answer = await client.json<P>('GET', params.size === 0 ? path : `${path}?${params.toString()}`)
  return answer.ok ? ok(answer.value.body) : answer
}

/** The items of all pages, in order. */
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
