// The port of search engines: builds the request and reads the answer. An engine is two pure functions for each kind;
// src/tools/web/search/search.ts sends.

import * as z from 'zod'
import type { Outgoing } from '../../../net/fetch.ts'

export interface SearchSetup {
  readonly provider: 'tavily' | 'brave' | 'searxng'
  /** Null if it needs none. */
  readonly key: string | null
  /** Null: the provider's own address. */
  readonly url: string | null
  /** US dollars for one search; null: the provider's list price. */
  readonly price: number | null
}

/** As the engine returned it: any text, any address. */
export interface Hit {
  readonly title: string
  /** Of the page. */
  readonly url: string
  readonly text: string
  /** Of the image itself. */
  readonly image?: string
}

/** `read`: null if the answer has an unknown format. */
export interface SearchRequest {
  readonly request: Outgoing
  readonly read: (answer: unknown) => readonly Hit[] | null
}

export interface Engine {
  /** For people and the model. */
  readonly name: string
  /** List price of one search of either kind, in US dollars. */
  readonly price: number
  readonly web: (query: string, max: number) => SearchRequest
  readonly images: (query: string, max: number) => SearchRequest
  /** What a refusal with this status means; null if nothing special. */
  readonly meaning?: (status: number) => string | null
}

/** Text that may be missing or of another type. */
export const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? '')

/** Drops invalid items and keeps the others. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
  )
}

export function reading<T>(schema: z.ZodType<T>, hits: (answer: T) => readonly Hit[]): SearchRequest['read'] {
  return (answer) => {
    const parsed = schema.safeParse(answer)
    return parsed.success ? hits(parsed.data) : null
  }
}

/** Joins `base`, with or without a trailing slash, and `path`. */
export function below(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(path, base.endsWith('/') ? base : `${base}/`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
