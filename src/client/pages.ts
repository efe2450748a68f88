// Reads one page, or all pages, of a list from the API.

import { ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { JsonResponse, ClientFailure } from './types.ts'

/** The part of the client that is used here. */
interface JsonClient {
  json<T>(method: string, path: string): Promise<Result<JsonResponse<T>, ClientFailure>>
}

export interface PageRequest {
  /** The `next_cursor` of the previous page. Null or absent for the first page. */
  readonly cursor?: string | null
  /** Maximum number of items, from 1 to PAGE_SIZE_MAX. */
  readonly limit?: number
}

/** Reads one page of the list at `path`. `query`: additional parameters. */
export async function readPage<T, P extends Page<T> = Page<T>>(
  client: JsonClient,
  path: string,
  query: Readonly<Record<string, string>>,
  { cursor = null, limit }: PageRequest,
): Promise<Result<P, ClientFailure>> {
  const params = new URLSearchParams(query)
  if (limit !== undefined) params.set('limit', String(limit))
  if (cursor !== null) params.set('cursor', cursor)
  const answer = await client.json<P>('GET', params.size === 0 ? path : `${path}?${params.toString()}`)
  return answer.ok ? ok(answer.value.body) : answer
}

/** Reads all pages and returns their items in order. */
export async function readAllPages<T>(
  requestPage: (cursor: string | null) => Promise<Result<Page<T>, ClientFailure>>,
): Promise<Result<readonly T[], ClientFailure>> {
  const items: T[] = []
  for (let cursor: string | null = null; ;) {
    const page: Result<Page<T>, ClientFailure> = await requestPage(cursor)
    if (!page.ok) return page
    items.push(...page.value.data)
    cursor = page.value.next_cursor
    if (cursor === null) return ok(items)
  }
}
