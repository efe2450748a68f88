// Queries a search engine through the guarded fetch, and cleans its results: plain text without markup, normalized web
// addresses, and no duplicates. Independent of the engine.

import { jsonDepth } from '../../../lib/json-depth.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { cutText, stripInvisible } from '../../../lib/text.ts'
import { SEARCH_TIMEOUT_MS, URL_MAX_CHARS } from '../../../limits/net.ts'
import { JSON_MAX_DEPTH } from '../../../limits/requests.ts'
import { SEARCH_ANSWER_MAX_BYTES, SEARCH_SNIPPET_MAX_CHARS, SEARCH_TITLE_MAX_CHARS } from './limits.ts'
import type { GuardedResponse, GuardedFetch } from '../../../net/fetch.ts'
import { masker } from '../../../secrets/masks.ts'
import { brave } from './brave.ts'
import type { Engine, Hit, SearchRequest, SearchSetup } from './engine.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'

/** A failed search, with a message for the model. */
interface SearchFailure {
  readonly text: string
  /** The text may contain untrusted content, such as the target of a redirect. */
  readonly mayBeUntrusted: boolean
  readonly billed: Billed
}

/** Whether the engine charged for a search. Engines charge for each search that they answer. */
export type Billed = 'yes' | 'no' | 'perhaps'

export type WebSearch = (
  kind: 'web' | 'images',
  query: string,
  max: number,
  signal: AbortSignal,
) => Promise<Result<readonly Hit[], SearchFailure>>

const ENGINES = { tavily, brave, searxng }

/** The price of one search, in US dollars. */
export function searchPrice(setup: SearchSetup): number {
  return setup.price ?? ENGINES[setup.provider](setup).price
}

export function webSearch(setup: SearchSetup, net: GuardedFetch): WebSearch {
  const engine = ENGINES[setup.provider](setup)
  return async (kind, query, max, signal) => {
    const { request, read } = engine[kind](query, max)
    // A response or redirect may repeat the key, which must not appear in a transcript.
    const mask = masker(new Map(setup.key ? [['SEARCH_API_KEY', setup.key]] : []))
    const answer = await net(request, {
      signal,
      timeoutMs: SEARCH_TIMEOUT_MS,
      maxBytes: SEARCH_ANSWER_MAX_BYTES,
      maxRedirects: 0,
      mask,
    })
    if (!answer.ok) {
      const { detail, sent } = answer.error
      const text = `The search engine could not be reached: ${detail}`
      return err({ text, mayBeUntrusted: sent, billed: sent ? 'perhaps' : 'no' })
    }
    const refusal = refusalMessage(engine, answer.value)
    if (refusal !== null)
      return err({
        text: refusal,
        mayBeUntrusted: false,
        billed: wasRejected(answer.value) ? 'no' : 'perhaps',
      })
    const hits = parseHits(answer.value, read)
    if (!hits) {
      const text = `${engine.name} responded in an unknown format. Continue without a search.`
      return err({ text, mayBeUntrusted: false, billed: 'yes' })
    }
    return ok(cleanHits(hits, mask).slice(0, max))
  }
}

/** Whether the engine itself rejected the search. After a timeout or a proxy's error, it may still charge for the search. */
function wasRejected({ status }: GuardedResponse): boolean {
  return status >= 400 && status < 500 && status !== 408
}

function refusalMessage(engine: Engine, { status }: GuardedResponse): string | null {
  if (status === 200) return null
  const special = engine.errorMeaning?.(status)
  const summary = `${engine.name} responded with status ${status}`
  if (special) return `${summary}: ${special}. Tell the user; the operator of Satchel has to fix it.`
  if (status === 401 || status === 403)
    return `${summary}: it rejected the API key. Tell the user; the operator of Satchel has to fix SEARCH_API_KEY.`
  if (status === 429)
    return `${summary}: it is receiving too many searches. Continue with what you have, or search later.`
  return `${summary}. Try once more with different terms, or continue without a search.`
}

function parseHits({ body, cut }: GuardedResponse, read: SearchRequest['read']): readonly Hit[] | null {
  const text = new TextDecoder().decode(body)
  if (cut || jsonDepth(text) > JSON_MAX_DEPTH) return null
  try {
    return read(JSON.parse(text))
  } catch {
    return null
  }
}

function cleanHits(hits: readonly Hit[], mask: (text: string) => string): readonly Hit[] {
  const seenAddresses = new Set<string>()
  return hits.flatMap((hit) => {
    const url = webAddress(hit.url)
    const image = hit.image === undefined ? undefined : webAddress(hit.image)
    const resultAddress = hit.image === undefined ? url : image
    if (!resultAddress || seenAddresses.has(resultAddress)) return []
    seenAddresses.add(resultAddress)
    return [
      {
        title: mask(oneLine(hit.title, SEARCH_TITLE_MAX_CHARS)),
        text: mask(oneLine(hit.text, SEARCH_SNIPPET_MAX_CHARS)),
        url: mask(url ?? ''),
        ...(image && { image: mask(image) }),
      },
    ]
  })
}

/** Normalizes an address, so that the model can fetch it; null if it is not a web address. */
function webAddress(text: string): string | null {
  if (text.length > URL_MAX_CHARS || !URL.canParse(text)) return null
  const { protocol, href, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** Removes highlighting and decodes entities: `<b>R&amp;D</b>` is `R&D`. */
function oneLine(text: string, max: number): string {
  const plain = text
    .slice(0, 8 * max)
    .replaceAll(/<\/?(?:b|strong|em|i|mark|br)\s*\/?>/gi, '')
    .replaceAll(
      /&(?:(amp|lt|gt|quot|nbsp)|#(x?)([\da-f]{1,6}));/gi,
      (entity, name?: string, hex?: string, code?: string) => {
        if (name) return ENTITIES[name.toLowerCase()] ?? entity
        const point = Number.parseInt(code ?? '', hex ? 16 : 10)
        return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : ' '
      },
    )
  return cutText(stripInvisible(plain.replaceAll(/\s+/g, ' ')).trim(), max)
}
