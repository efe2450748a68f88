// Caches fetched pages by URL, because the model often asks a second question about a page. Each GuardedFetch has a
// separate cache, because its rules may forbid what another one allows.

import type { Clock } from '../../lib/clock.ts'
import { WEB_CACHE_CHARS, WEB_CACHE_MS } from './limits.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { TextPage } from './page.ts'

export interface Fetched {
  /** The final URL, after redirects. */
  readonly url: string
  readonly page: TextPage
}

const caches = new WeakMap<GuardedFetch, PageCache>()

export class PageCache {
  readonly #pages = new Map<string, Fetched & { readonly at: number }>()
  #chars = 0

  static of(net: GuardedFetch): PageCache {
    let cache = caches.get(net)
    if (!cache) caches.set(net, (cache = new PageCache()))
    return cache
  }

  get(url: string, now: Clock): Fetched | null {
    const found = this.#pages.get(url)
    if (!found) return null
    if (now() - found.at <= WEB_CACHE_MS) return found
    this.#drop(url)
    return null
  }

  put(url: string, fetched: Fetched, now: Clock): void {
    this.#drop(url)
    if (fetched.page.text.length > WEB_CACHE_CHARS) return
    this.#pages.set(url, { ...fetched, at: now() })
    this.#chars += fetched.page.text.length
    // A Map iterates in insertion order, so the oldest pages are dropped first.
    for (const oldest of this.#pages.keys()) {
      if (this.#chars <= WEB_CACHE_CHARS) return
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    this.#chars -= this.#pages.get(url)?.page.text.length ?? 0
    this.#pages.delete(url)
  }
}
