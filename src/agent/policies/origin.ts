// What may act once text from outside stands in the window: private data, text from outside and a way out are together what
// an attacker needs, and this takes the last of them away unless a person says yes.

import type { CallFacts, Verdict } from '../policy.ts'
import { ALLOW } from '../policy.ts'
import { quotedName } from '../shown.ts'

export function origin(facts: CallFacts): Verdict {
  const { untrusted, untrustedThenAct } = facts
  if (untrusted.length === 0 || untrustedThenAct === 'allow') return ALLOW
  const { preview } = facts
  // Reckoned when it is looked at, from all that stands in the thread.
  const address = preview?.kind === 'fetch' ? facts.address : null
  const why = reasonOf(facts, address)
  if (why === null) return ALLOW
  const host = preview && address === 'exhausted' ? { host: new URL(preview.url).host } : {}
  const reason = `${why} This conversation holds text from outside (${shown(untrusted)}), which may have asked for it.`
  return untrustedThenAct === 'ask'
    ? { do: 'ask', policy: 'origin', reason, ...host }
    : { do: 'deny', policy: 'origin', words: `Not run: ${reason} Tell the user what you would do.` }
}

/** Null: nothing speaks against the call. */
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
        return `The address is on the private host ${new URL(preview.url).host}, and stands neither in what the user wrote nor among the links of a page of that host.`
      case 'unknown':
      case null:
        return 'The address stands in nothing that the user wrote, in no search result and among no links of a fetched page.'
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
  return at === -1 ? source : `${source.slice(0, at)} ${quotedName(source.slice(at + 1))}`
}
