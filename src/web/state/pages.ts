// A list of the server read page by page.

import type { Client } from '../../client/client.ts'
import type { ClientFailure } from '../../client/types.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { Page } from '../../thread/api.ts'
import { PAGE_ENTRIES } from '../limits.ts'

/** All pages of the list at `path`, at most `pages`; `more`: there are others. */
export async function readAll<T>(
  client: Client,
  path: string,
  pages: number,
): Promise<Result<{ readonly data: readonly T[]; readonly more: boolean }, ClientFailure>> {
  const data: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const address = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_ENTRIES}${after}`
    const answer: Result<{ readonly body: Page<T> }, ClientFailure> = await client.json('GET', address)
    if (!answer.ok) return answer
    data.push(...answer.value.body.data)
    cursor = answer.value.body.next_cursor
    if (cursor === null) break
  }
  return ok({ data, more: cursor !== null })
}
