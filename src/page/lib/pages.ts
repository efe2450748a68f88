// Reads a paginated list from the server.

import type { Client } from '../../client/client.ts'
import { readPage } from '../../client/pages.ts'
import type { ClientFailure } from '../../client/types.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { Page } from '../../thread/api.ts'
import { PAGE_ENTRIES_MAX } from './limits.ts'

export interface ListRequest {
  /** The URL path of the list, such as `/v1/skills`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The maximum number of pages to read. */
  readonly pagesMax: number
  /** Entries of each page after the first, which is small, so that it appears soon. Default: PAGE_ENTRIES_MAX. */
  readonly laterEntries?: number
}

/** Reads up to `pagesMax` pages. After each page, `onPage` receives all entries so far; it returns false to stop reading. */
export async function readPages<T>(
  client: Client,
  { path, query = {}, pagesMax, laterEntries = PAGE_ENTRIES_MAX }: ListRequest,
  onPage?: (data: readonly T[], page: number, isLast: boolean) => boolean,
): Promise<Result<readonly T[], ClientFailure>> {
  const data: T[] = []
  let cursor: string | null = null
  for (let page = 1; page <= pagesMax; page++) {
    const response: Result<Page<T>, ClientFailure> = await readPage(client, path, query, {
      cursor,
      limit: page === 1 ? PAGE_ENTRIES_MAX : laterEntries,
    })
    if (!response.ok) return response
    data.push(...response.value.data)
    cursor = response.value.next_cursor
    if (onPage?.(data, page, cursor === null) === false || cursor === null) break
  }
  return ok(data)
}
