// Decides which calls may act once the context contains untrusted content. An attack needs private data,
// untrusted content and a way to send data out. This policy blocks the way out unless a person approves.

import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'
import { quoteName } from '../display-request.ts'

export function checkOrigin(facts: CallFacts): Verdict {
  const { untrusted, untrustedThenAct } = facts
  if (untrusted.length === 0 || untrustedThenAct === 'allow') return ALLOW
  const { preview } = facts
  // Computed on first access, from the whole thread.
  const address = preview?.kind === 'fetch' ? facts.address : null
  const objection = objectionTo(facts, address)
  if (objection === null) return ALLOW
  const host = preview && address === 'exhausted' ? { host: new URL(preview.url).host } : {}
  const reason = `${objection} This conversation contains text from external sources (${describeSources(untrusted)}), which may have caused this call.`
  return untrustedThenAct === 'ask'
    ? { do: 'ask', policy: 'origin', reason, ...host }
    : {
        do: 'deny',
        policy: 'origin',
        message: `Not run: ${reason} Tell the user what you would have done.`,
      }
}

/** Why the call should not be made without approval, or null if there is no objection. */
function objectionTo(
  { source, effect, preview, linkBits }: CallFacts,
  address: CallFacts['address'],
): string | null {
  if (preview?.kind === 'fetch') {
    switch (address) {
      case 'given':
        return null
      case 'exhausted':
        return `Following this link on ${new URL(preview.url).host}, together with earlier ones, could reveal more than ${linkBits} bits of this conversation to other servers. If you approve, this run may follow any link on that host.`
      case 'private':
        return `The address is on the private host ${new URL(preview.url).host}, and appears neither in the user's messages nor among the links of a page on that host.`
      case 'unknown':
      case null:
        return "The address appears neither in the user's messages nor in a search result nor among the links of a fetched page."
    }
  }
  // A call without a preview sends nothing: its input is invalid, and its result explains why.
  return source !== 'builtin' && effect !== 'read' && preview !== null
    ? 'The call affects an external system.'
    : null
}

/** Maximum number of sources that a reason lists. */
const SOURCES_SHOWN_MAX = 3

function describeSources(untrusted: readonly string[]): string {
  const omittedNote =
    untrusted.length > SOURCES_SHOWN_MAX ? ` and ${untrusted.length - SOURCES_SHOWN_MAX} more` : ''
  return untrusted.slice(0, SOURCES_SHOWN_MAX).map(describeSource).join(', ') + omittedNote
}

/** Returns, for example, `upload “report.pdf”`: the kind of source, and its name in quotes, because third parties may choose it. */
function describeSource(source: string): string {
  const colon = source.indexOf(':')
  return colon === -1 ? source : `${source.slice(0, colon)} ${quoteName(source.slice(colon + 1))}`
}
