// The input of the link budget: the addresses in the thread, the fetches since the last message of a person,
// and the message from which on the model may know private data. All of it is read from rows, so that a crash
// or fork does not raise the budget.

import type { KnownAddresses } from '../../agent/addresses.ts'
import type { Choices, EarlierFetch } from '../../agent/link-budget.ts'
import { isToolUse } from '../../agent/message.ts'
import { searchResultAddresses, SEARCH_SOURCES } from '../../agent/server-search.ts'
import { isNamedHost, judgeUrl } from '../../net/guard.ts'
import { WEB_FETCH } from '../../tools/web/web-fetch.ts'
import type { Parts } from '../parts.ts'
import { currentCall } from '../rows/current-calls.ts'
import type { CallId } from '../rows/journal.ts'
import {
  dispatchedCalls,
  returnedLinks,
  firstMessageOfSecondRun,
  userTexts,
} from '../rows/known-addresses.ts'
import { withoutForeignPrivateLinks } from './private-links.ts'
import { mayContainPrivateData } from './private-text.ts'

type Thread = Parts<'ctx' | 'approvals' | 'journal' | 'sources' | 'transcript', 'privateHosts'>

/**
 * The addresses in what people wrote, in search results, and in links of pages, without links to private
 * hosts on other sites.
 */
export function knownAddresses({
  ctx,
  transcript,
  ports,
}: Pick<Thread, 'ctx' | 'transcript' | 'ports'>): KnownAddresses {
  const { sql } = ctx.storage
  const pageLinks = returnedLinks(sql).map(({ message, ...rest }) => ({
    ...rest,
    after: message,
    queryMessage: rest.page === null ? message : null,
  }))
  const searched = transcript.withServerSearches().flatMap(({ seq, ...message }) =>
    // `after` is `seq - 1` because the model already knows the results of its own searches while it writes
    // the same message.
    searchResultAddresses(message).map((links) => ({ links, page: null, after: seq - 1, queryMessage: seq })),
  )
  const links = [...pageLinks, ...searched].map(({ page, ...rest }) => ({
    ...rest,
    links: withoutForeignPrivateLinks(rest.links, page, ports.privateHosts),
  }))
  return { userTexts: userTexts(sql), links }
}

/** `bits` is how much chosen links may reveal without an approval. */
export function choicesBefore(thread: Thread, { runId, message, ord }: CallId, bits: number): Choices {
  const addresses = knownAddresses(thread)
  const since = addresses.userTexts.at(-1)?.after ?? null
  const answers = thread.transcript.answersAfter(since ?? 0)
  const sent = sentSince(thread, { runId, message }, since ?? 0)
  const fetched = answers.flatMap(({ seq, content }) =>
    content.filter(isToolUse).flatMap((call, position): EarlierFetch[] => {
      if (call.name !== WEB_FETCH.spec.name || (seq === message && position >= ord) || seq > message)
        return []
      // A call with invalid input sends nothing.
      const url = WEB_FETCH.preview?.(call.input)?.url
      return url === undefined ? [] : [{ message: seq, ord: position, url, sent: sent(seq, position) }]
    }),
  )
  const hosts = thread.approvals.allowedHosts(runId)
  return { known: addresses, since, privateAfter: privateAfter(thread, addresses), fetched, hosts, bits }
}

/**
 * Whether a fetch was sent. The journal knows this for calls of the current message, where it may still be
 * undecided. For earlier messages, the rows of the calls show it.
 */
function sentSince(
  thread: Thread,
  { runId, message }: Pick<CallId, 'runId' | 'message'>,
  since: number,
): (message: number, ord: number) => EarlierFetch['sent'] {
  const dispatched = dispatchedCalls(thread.ctx.storage.sql, WEB_FETCH.spec.name, since)
  return (seq, ord) => {
    const parallelCall = seq === message ? currentCall(thread, { runId, message, ord }) : undefined
    if (parallelCall?.state === 'planned') return 'undecided'
    return (parallelCall?.dispatched ?? dispatched.has(`${seq}:${ord}`)) ? 'yes' : 'no'
  }
}

/**
 * The first message after which the model may know private data. Null if the thread contains only public
 * pages, search results, skills, and the short text of one message.
 */
function privateAfter(
  { ctx, approvals, sources, ports }: Thread,
  { userTexts: texts }: KnownAddresses,
): number | null {
  const privateText = texts.find(({ text }) => mayContainPrivateData(text))
  const privateSource = sources.firstMessageOf((source) => isPrivate(source, ports.privateHosts))
  const privateSearchHit = firstPrivateSearch(ctx.storage.sql, ports.privateHosts)
  const firstMessages = [
    privateSource,
    privateSearchHit,
    firstMessageOfSecondRun(ctx.storage.sql),
    approvals.firstMessageWithNote(),
    privateText?.after ?? null,
  ]
  const messages = firstMessages.filter((message) => message !== null)
  return messages.length === 0 ? null : Math.min(...messages)
}

/**
 * The first message whose search returned a page on a private host: a private search engine may return titles
 * and texts of such pages.
 */
function firstPrivateSearch(sql: SqlStorage, privateHosts: readonly string[]): number | null {
  const search = returnedLinks(sql).find(
    ({ page, links }) => page === null && links.some((link) => isPrivateHost(new URL(link), privateHosts)),
  )
  return search?.message ?? null
}

/**
 * Every source except searches and pages on public hosts. A host that the operator lists counts as private on
 * any port, even if its name is in a public zone: an internal host may have such a name (split-horizon DNS).
 */
function isPrivate(source: string, privateHosts: readonly string[]): boolean {
  if (SEARCH_SOURCES.includes(source)) return false
  const url = source.startsWith('web:') ? URL.parse(`https://${source.slice('web:'.length)}/`) : null
  return url === null || isPrivateHost(url, privateHosts)
}

function isPrivateHost(url: URL, privateHosts: readonly string[]): boolean {
  if (isNamedHost(url, privateHosts)) return true
  // The host is judged with the default scheme and port, because the scheme and port of the link do not matter here.
  const host = new URL(`https://${url.hostname}/`)
  return !judgeUrl(host, { allowHosts: [], denyHosts: [], privateHosts: [] }).ok
}
