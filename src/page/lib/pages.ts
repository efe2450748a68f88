// A list of the server read page by page.

import type { Client } from '../../client/client.ts'
import { pageOf } from '../../client/pages.ts'
import type { ClientFailure } from '../../client/types.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { Page } from '../../thread/api.ts'
import { PAGE_ENTRIES } from './limits.ts'

/** All pages of the list at `path`, at most `pages`; `more`: there are others. */
export async function readAll<T>(
  client: Client,
  path: string,
  pages: number,
): Promise<Result<{ readonly data: readonly T[]; readonly more: boolean }, ClientFailure>> {
  const data: T[] = []
  let cursor: string | null = null
  const [address = '', query = ''] = path.split('?')
  const asked = Object.fromEntries(new URLSearchParams(query))
  for (let page = 0; page < pages; page++) {
    const answer: Result<Page<T>, ClientFailure> = await pageOf<T>(client, address, asked, {
      cursor,
      limit: PAGE_ENTRIES,
    })
    if (!answer.ok) return answer
    data.push(...answer.value.data)
    cursor = answer.value.next_cursor
    if (cursor === null) break
  }
  return ok({ data, more: cursor !== null })
}
