// Which addresses a thread contains: in user messages, in search results, and among the links of fetched pages. Pure.
// link-budget.ts decides how many of them may be fetched without approval.

import { isWrittenAddress, withoutEnd, WRITTEN } from '../lib/written-address.ts'

/** Addresses that came with a result. */
interface Links {
  /** Number of the message after which the model knows them. */
  readonly after: number
  /** As `spelled` writes them: there may be hundreds of thousands in a thread. */
  readonly links: readonly string[]
  /** Number of the message in which the model wrote the query that found them; null if they are links of a page. */
  readonly queried: number | null
}

export interface KnownAddresses {
  /** What people wrote in this thread, each with the number of its message. */
  readonly userTexts: readonly { readonly after: number; readonly text: string }[]
  readonly links: readonly Links[]
}

/**
 * One spelling for one address; null if it is not one that could be fetched. Where in the page it leads says nothing.
 */
export function normalizeUrl(address: string): string | null {
  try {
    // Trimmed as the tools trim it, so that spaces around an address do not make it another.
    const url = new URL(address.trim())
    url.hash = ''
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

/** Every address in a text, in its order; each also without what may be the sentence's punctuation. */
export function addressesInText(text: string): readonly (readonly string[])[] {
  return Array.from(text.matchAll(WRITTEN), ([written]) => {
    if (!isWrittenAddress(written)) return []
    const whole = /^https?:\/\//i.test(written) ? written : `https://${written}`
    const forms = [whole, withoutEnd(whole)].flatMap((form) => normalizeUrl(form) ?? [])
    return [...new Set(forms)]
  }).filter((forms) => forms.length > 0)
}

/** Hosts that a redirect of a fetch may lead to. */
export function knownHosts({ userTexts, links }: KnownAddresses): ReadonlySet<string> {
  const written = userTexts.flatMap(({ text }) => addressesInText(text).flat())
  return new Set([...written, ...links.flatMap((one) => one.links)].map((address) => new URL(address).host))
}
