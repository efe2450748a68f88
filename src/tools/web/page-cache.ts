// Pages that were read a moment ago, by address: a model asks for one again with another question. Bounded in age and
// size; each way out has its own, as what may be reached differs.

import type { Clock } from '../../lib/clock.ts'
import { WEB_CACHE_CHARS, WEB_CACHE_MS } from './limits.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import type { TextPage } from './page.ts'

export interface Fetched {
  /** Where it came from in the end. */
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

  get(asked: string, now: Clock): Fetched | null {
    const found = this.#pages.get(asked)
    if (!found) return null
    if (now() - found.at <= WEB_CACHE_MS) return found
    this.#drop(asked)
    return null
  }

  put(asked: string, fetched: Fetched, now: Clock): void {
    this.#drop(asked)
    if (fetched.page.text.length > WEB_CACHE_CHARS) return
    this.#pages.set(asked, { ...fetched, at: now() })
    this.#chars += fetched.page.text.length
    // The oldest come first.
    for (const oldest of this.#pages.keys()) {
      if (this.#chars <= WEB_CACHE_CHARS) return
      this.#drop(oldest)
    }
  }

  #drop(asked: string): void {
    this.#chars -= this.#pages.get(asked)?.page.text.length ?? 0
    this.#pages.delete(asked)
  }
}
