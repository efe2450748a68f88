// Collects the addresses that a thread contains: in user messages, in search results, and among the links of fetched pages.
// link-budget.ts decides how many of them may be fetched without approval.

import { isWrittenAddress, trimPunctuation, WRITTEN_ADDRESS } from '../lib/written-address.ts'

/** The addresses in one result: those a search found, or the links of one fetched page. */
interface AddressSet {
  /** Number of the message after which the model knows them. */
  readonly after: number
  /** Normalized in advance by `normalizeUrl`, because a thread may contain hundreds of thousands. */
  readonly links: readonly string[]
  /** Number of the message in which the model wrote the search query, or null for the links of a page. */
  readonly queryMessage: number | null
}

export interface KnownAddresses {
  /** The messages that people wrote in this thread, each with its number. */
  readonly userTexts: readonly { readonly after: number; readonly text: string }[]
  readonly links: readonly AddressSet[]
}

/** The canonical form of an address, without its fragment, or null if the address cannot be fetched. */
export function normalizeUrl(address: string): string | null {
  try {
    // The tools trim addresses too, so surrounding spaces must not make an address a different one.
    const url = new URL(address.trim())
    url.hash = ''
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

/**
 * Every address in a text, in order of appearance. Each has one or two forms: as it is written and, if it ends in punctuation
 * that may belong to the sentence, without that punctuation.
 */
export function addressesInText(text: string): readonly (readonly string[])[] {
  return Array.from(text.matchAll(WRITTEN_ADDRESS), ([match]) => {
    if (!isWrittenAddress(match)) return []
    const url = /^https?:\/\//i.test(match) ? match : `https://${match}`
    const forms = [url, trimPunctuation(url)].flatMap((form) => normalizeUrl(form) ?? [])
    return [...new Set(forms)]
  }).filter((forms) => forms.length > 0)
}

/** The hosts of all known addresses, to which the redirects of a fetch may lead. */
export function knownHosts({ userTexts, links }: KnownAddresses): ReadonlySet<string> {
  const typed = userTexts.flatMap(({ text }) => addressesInText(text).flat())
  return new Set([...typed, ...links.flatMap((set) => set.links)].map((address) => new URL(address).host))
}
