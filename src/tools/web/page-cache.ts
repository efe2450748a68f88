// Caches fetched pages by URL, because the model often asks a second question about a page. Each GuardedFetch has a
// separate cache, because its rules may forbid what another one allows.

import type { Clock } from '../../lib/clock.ts'
import { WEB_CACHE_MAX_CHARS, WEB_CACHE_MAX_AGE_MS } from './limits.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { TextPage } from './page.ts'

export interface FetchedPage {
  /** The final URL, after redirects. */
  readonly url: string
  readonly page: TextPage
}

const caches = new WeakMap<GuardedFetch, PageCache>()

export class PageCache {
  readonly #pages = new Map<string, FetchedPage & { readonly fetchedAt: number }>()
  #chars = 0

  static forFetch(net: GuardedFetch): PageCache {
    let cache = caches.get(net)
    if (!cache) caches.set(net, (cache = new PageCache()))
    return cache
  }

  get(url: string, now: Clock): FetchedPage | null {
    const cached = this.#pages.get(url)
    if (!cached) return null
    if (now() - cached.fetchedAt <= WEB_CACHE_MAX_AGE_MS) return cached
    this.#drop(url)
    return null
  }

  put(url: string, fetched: FetchedPage, now: Clock): void {
    this.#drop(url)
    if (fetched.page.text.length > WEB_CACHE_MAX_CHARS) return
    this.#pages.set(url, { ...fetched, fetchedAt: now() })
    this.#chars += fetched.page.text.length
    // A Map iterates in insertion order, so the oldest pages are dropped first.
    for (const oldest of this.#pages.keys()) {
      if (this.#chars <= WEB_CACHE_MAX_CHARS) return
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#pages.get(url)?.page.text.length ?? 0
    this.#pages.delete(url)
  }
}
