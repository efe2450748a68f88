// What the choice of links may say is reckoned from: the addresses that stand in the thread, what was fetched since the last
// message of a person, and from when on the model may know private data. All of it from rows, so that no crash and no fork
// gives more.

import type { Known } from '../../agent/addresses.ts'
import type { Choices, EarlierFetch } from '../../agent/link-budget.ts'
import { isToolUse } from '../../agent/message.ts'
import { addressesFound, SEARCH_SOURCES } from '../../agent/server-search.ts'
import { isNamedHost, judgeUrl } from '../../net/guard.ts'
import { WEB_FETCH } from '../../tools/web/web-fetch.ts'
import type { Parts } from '../parts.ts'
import type { CallKey } from '../rows/journal.ts'
import { callsMade, linksGiven, secondRun, textsGiven } from '../rows/given.ts'
import { withoutForeignPrivate } from './private-links.ts'
import { mayRevealMore } from './private-text.ts'

type Thread = Parts<'ctx' | 'approvals' | 'journal' | 'sources' | 'transcript', 'privateHosts'>

/** What people wrote, what searches found, and which links pages had, but for links to private hosts that others named. */
export function knownAddresses({ ctx, transcript, out }: Pick<Thread, 'ctx' | 'transcript' | 'out'>): Known {
  const { sql } = ctx.storage
  const brought = linksGiven(sql).map(({ message, ...rest }) => ({
    ...rest,
    after: message,
    queried: rest.page === null ? message : null,
  }))
  const searched = transcript.numbered().flatMap(({ seq, ...message }) =>
    // What the model found by itself it knows within the very message.
    addressesFound(message).map((links) => ({ links, page: null, after: seq - 1, queried: seq })),
  )
  const links = [...brought, ...searched].map(({ page, ...rest }) => ({
    ...rest,
    links: withoutForeignPrivate(rest.links, page, out.privateHosts),
  }))
  return { words: textsGiven(sql), links }
}

/** `bits`: what may be said unasked. */
export function choicesBefore(thread: Thread, { runId, message, ord }: CallKey, bits: number): Choices {
  const known = knownAddresses(thread)
  const since = known.words.at(-1)?.after ?? null
  const asked = thread.transcript
    .numbered()
    .filter(({ seq, role }) => role === 'assistant' && seq > (since ?? 0))
  const sent = sentSince(thread, { runId, message }, since ?? 0)
  const fetched = asked.flatMap(({ seq, content }) =>
    content.filter(isToolUse).flatMap((call, at): EarlierFetch[] => {
      if (call.name !== WEB_FETCH.spec.name || (seq === message && at >= ord) || seq > message) return []
      // What does not fit is sent by nobody.
      const url = WEB_FETCH.preview?.(call.input)?.url
      return url === undefined ? [] : [{ message: seq, ord: at, url, sent: sent(seq, at) }]
    }),
  )
  const hosts = thread.approvals.hostsAllowed(runId)
  return { known, since, privateAfter: privateAfter(thread, known), fetched, hosts, bits }
}

/** Of calls beside this one it may be undecided; of earlier ones the rows say it. */
function sentSince(
  { ctx, journal, transcript }: Thread,
  { runId, message }: Pick<CallKey, 'runId' | 'message'>,
  since: number,
): (message: number, ord: number) => EarlierFetch['sent'] {
  const made = callsMade(ctx.storage.sql, WEB_FETCH.spec.name, since)
  const asking = transcript.last(runId)
  const beside = asking?.seq === message ? journal.calls(runId, asking) : []
  return (seq, ord) => {
    const here = seq === message ? beside.find((call) => call.ord === ord) : undefined
    if (here?.state === 'planned') return 'undecided'
    return (here?.made ?? made.has(`${seq}:${ord}`)) ? 'yes' : 'no'
  }
}

/** Null: there is nothing but public pages, results of searches, skills, and the short words of one message. */
function privateAfter({ ctx, approvals, sources, out }: Thread, { words }: Known): number | null {
  const secret = words.find(({ text }) => mayRevealMore(text))
  const page = sources.since((source) => isPrivate(source, out.privateHosts))
  const hit = privateHit(ctx.storage.sql, out.privateHosts)
  const all = [page, hit, secondRun(ctx.storage.sql), approvals.firstNote(), secret?.after ?? null]
  const known = all.filter((one) => one !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** The message whose search found something on a private host, with title and words of the page: an engine of one's own may. */
function privateHit(sql: SqlStorage, named: readonly string[]): number | null {
  const found = linksGiven(sql).find(
    ({ page, links }) => page === null && links.some((link) => isPrivateHost(new URL(link), named)),
  )
  return found?.message ?? null
}

/**
 * All but pages of public hosts and searches. A host that the operator names is none, on whatever port and under whatever name:
 * an inner host may have a name of a public zone (split-horizon DNS).
 */
function isPrivate(source: string, named: readonly string[]): boolean {
  if (SEARCH_SOURCES.includes(source)) return false
  const url = source.startsWith('web:') ? URL.parse(`https://${source.slice('web:'.length)}/`) : null
  return url === null || isPrivateHost(url, named)
}

function isPrivateHost(url: URL, named: readonly string[]): boolean {
  if (isNamedHost(url, named)) return true
  // Whatever its scheme and port.
  const host = new URL(`https://${url.hostname}/`)
  return !judgeUrl(host, { allowHosts: [], denyHosts: [], privateHosts: [] }).ok
}
