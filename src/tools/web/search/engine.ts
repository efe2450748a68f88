// The interface that every search engine implements. For each kind of search, an engine has a pure function that builds
// the request, and another that reads the response. src/tools/web/search/search.ts sends the request.

import * as z from 'zod'
import type { Outgoing } from '../../../net/fetch.ts'

export interface SearchSetup {
  readonly provider: 'tavily' | 'brave' | 'searxng'
  /** The API key, or null if the engine needs none. */
  readonly key: string | null
  /** Null for the provider's default URL. */
  readonly url: string | null
  /** US dollars for one search, or null for the provider's list price. */
  readonly price: number | null
}

/** One result as the engine returned it; its text and addresses are untrusted. */
export interface Hit {
  readonly title: string
  /** The address of the page. */
  readonly url: string
  readonly text: string
  /** The address of the image file. */
  readonly image?: string
}

/** A request to an engine, and the function that reads its response. It returns null if the format is unknown. */
export interface SearchRequest {
  readonly request: Outgoing
  readonly read: (answer: unknown) => readonly Hit[] | null
}

export interface Engine {
  /** The name that users and the model see. */
  readonly name: string
  /** List price of one search of either kind, in US dollars. */
  readonly price: number
  readonly web: (query: string, max: number) => SearchRequest
  readonly images: (query: string, max: number) => SearchRequest
  /** The specific cause of an error status, or null if it has its usual meaning. */
  readonly errorMeaning?: (status: number) => string | null
}

/** Reads a string, or an empty string if the value is missing or has another type. */
export const textOrEmpty = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? '')

/** Reads a list, and skips items that do not match the schema. */
export function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((value) => {
      const parsed = item.safeParse(value)
      return parsed.success ? [parsed.data] : []
    }),
  )
}

/** A function that reads responses that match the schema, and returns null for others. */
export function hitsReader<T>(
  schema: z.ZodType<T>,
  hitsOf: (answer: T) => readonly Hit[],
): SearchRequest['read'] {
  return (answer) => {
    const parsed = schema.safeParse(answer)
    return parsed.success ? hitsOf(parsed.data) : null
  }
}

/** Appends a relative path (without a slash at its start) and a query to `base`, which may end with a slash. */
export function urlBelow(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(path, base.endsWith('/') ? base : `${base}/`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
