// What may act once the window holds untrusted content. An attacker needs private data, untrusted content and a way to send
// data out; this policy closes the last unless a person approves.

import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'
import { quoteName } from '../shown.ts'

export function checkOrigin(facts: CallFacts): Verdict {
  const { untrusted, untrustedThenAct } = facts
  if (untrusted.length === 0 || untrustedThenAct === 'allow') return ALLOW
  const { preview } = facts
  // Computed on first access, from the whole thread.
  const address = preview?.kind === 'fetch' ? facts.address : null
  const why = reasonOf(facts, address)
  if (why === null) return ALLOW
  const host = preview && address === 'exhausted' ? { host: new URL(preview.url).host } : {}
  const reason = `${why} This conversation holds text from outside (${shown(untrusted)}), which may have asked for it.`
  return untrustedThenAct === 'ask'
    ? { do: 'ask', policy: 'origin', reason, ...host }
    : { do: 'deny', policy: 'origin', message: `Not run: ${reason} Tell the user what you would do.` }
}

/** Null: no objection to the call. */
function reasonOf(
  { source, effect, preview, linkBits }: CallFacts,
  address: CallFacts['address'],
): string | null {
  if (preview?.kind === 'fetch') {
    switch (address) {
      case 'given':
        return null
      case 'exhausted':
        return `The choice of this link on ${new URL(preview.url).host}, with those before it, could tell other servers more than ${linkBits} bits of what this conversation holds. A yes allows this run every link on that host.`
      case 'private':
        return `The address is on the private host ${new URL(preview.url).host}, and is neither in what the user wrote nor among the links of a page of that host.`
      case 'unknown':
      case null:
        return 'The address is not in what the user wrote, in a search result or among the links of a fetched page.'
    }
  }
  // Without a preview nothing is sent: the input does not fit, and the call itself says why.
  return source !== 'builtin' && effect !== 'read' && preview !== null
    ? 'The call acts on something outside.'
    : null
}

const SHOWN = 3

function shown(untrusted: readonly string[]): string {
  const more = untrusted.length > SHOWN ? ` and ${untrusted.length - SHOWN} more` : ''
  return untrusted.slice(0, SHOWN).map(named).join(', ') + more
}

/** `upload “report.pdf”`: what kind of source it is, in our words, and its name, which may be anybody's. */
function named(source: string): string {
  const at = source.indexOf(':')
  return at === -1 ? source : `${source.slice(0, at)} ${quoteName(source.slice(at + 1))}`
}
