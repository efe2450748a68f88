// web_search and image_search: return the results of a search engine as a numbered list, without opening any page.
// New threads get these tools only if the operator configured an engine.

import * as z from 'zod'
import { normalizeUrl } from '../../agent/addresses.ts'
import { SEARCH_SOURCES } from '../../agent/server-search.ts'
import { SEARCH_TIMEOUT_MS } from '../../limits/net.ts'
import { SEARCH_HITS_DEFAULT, SEARCH_HITS_MAX, WEB_QUERY_MAX_CHARS, WEB_QUERY_MAX_TERMS } from './limits.ts'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import { builtin, errorResult, type ToolContext } from '../record/builtin.ts'
import type { Hit } from './search/engine.ts'

const input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(WEB_QUERY_MAX_CHARS)
    .refine(
      (text) => text.split(/\s+/).length <= WEB_QUERY_MAX_TERMS,
      `at most ${WEB_QUERY_MAX_TERMS} words are allowed; use the most specific`,
    )
    .describe('Keywords for a search engine. Include nothing private: the query is sent to that engine.'),
  max_results: z
    .int()
    .min(1)
    .max(SEARCH_HITS_MAX)
    .default(SEARCH_HITS_DEFAULT)
    .describe('Maximum number of results.'),
})

const LABEL = {
  icon: 'globe',
  now: 'Searching for',
  past: 'Searched for',
  failed: 'Could not search for',
} as const

export const WEB_SEARCH = builtin({
  name: 'web_search',
  aliases: ['websearch'],
  group: 'web',
  label: { ...LABEL, many: 'things on the web' },
  includedIf: ({ searchesWeb }) => searchesWeb,
  description:
    'Searches the web and returns pages with title, address and a short excerpt. The excerpt is incomplete: open a page before you rely on it. ' +
    'When nothing fits, search again with different terms.',
  input,
  effect: 'read',
  timeoutMs: SEARCH_TIMEOUT_MS + 5_000,
  run: (context, args, call) => search('web', context, args, call),
})

export const IMAGE_SEARCH = builtin({
  name: 'image_search',
  aliases: ['imagesearch'],
  group: 'web',
  label: { ...LABEL, many: 'pictures' },
  includedIf: ({ searchesWeb }) => searchesWeb,
  description:
    "Searches the web for images and returns, for each one, its address, its title and, if known, the page that contains it. Images may be copyrighted; respect the owners' rights.",
  input,
  effect: 'read',
  timeoutMs: SEARCH_TIMEOUT_MS + 5_000,
  run: (context, args, call) => search('images', context, args, call),
})

async function search(
  kind: 'web' | 'images',
  context: ToolContext,
  { query, max_results: max }: z.output<typeof input>,
  { signal }: ToolCall,
): Promise<ToolResult> {
  if (!context.search)
    return errorResult('The search engine is no longer configured on this server. Continue without a search.')
  const hits = await context.search(kind, query, max, signal)
  if (!hits.ok) {
    const { text, mayBeUntrusted } = hits.error
    return mayBeUntrusted ? { ...errorResult(text), untrusted: SEARCH_SOURCES } : errorResult(text)
  }
  if (hits.value.length === 0)
    return { content: 'Nothing was found. Search again with fewer or different terms.', isError: false }
  const links = hits.value.flatMap(({ url, image = '' }) =>
    [url, image].flatMap((address) => normalizeUrl(address) ?? []),
  )
  return {
    content: hits.value.map(formatHit).join('\n\n'),
    isError: false,
    untrusted: SEARCH_SOURCES,
    notes: [{ type: 'links', page: null, links }],
  }
}

/** Formats a result. Each address is on a separate line, so that the model copies it exactly. */
function formatHit({ title, url, text, image }: Hit, index: number): string {
  const lines = [`${index + 1}. ${title || '(no title)'}`, image, image && url ? `on ${url}` : url, text]
  return lines.filter(Boolean).join('\n   ')
}
