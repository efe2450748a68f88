// Which addresses a fetch may go to unasked: those that stand in the user's words, in search results, or among the links of
// a fetched page, of which only so many a run. Pure: whoever asks brings what stands in the window.

import { isWrittenAddress } from '../lib/written-address.ts'

/** Addresses that came with a result. */
export interface Links {
  /** The address that the page was fetched under; null: they are results of a search. */
  readonly page: string | null
  /** As `spelled` writes them: there may be hundreds of thousands in a thread. */
  readonly links: readonly string[]
}

export interface Known {
  /** What people wrote in this window. */
  readonly words: readonly string[]
  readonly links: readonly Links[]
  /** Addresses that this run was asked to fetch before. */
  readonly fetched: readonly string[]
}

/** One spelling for one address; null: it is none that could be fetched. Where in the page it leads says nothing. */
export function spelled(address: string): string | null {
  try {
    // As a tool takes what a model wrote, so that one address is one, whatever blanks stand around it.
    const url = new URL(address.trim())
    url.hash = ''
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

// As people write them: with or without scheme, at a sentence's end, in brackets. What stands within a path is no host.
const WRITTEN =
  /https?:\/\/[^\s<>"'`]+|(?<![\w@./\\~$%-])(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/** Every address in a text, also without what may be the sentence's punctuation. */
export function addressesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [written] of text.matchAll(WRITTEN)) {
    if (!isWrittenAddress(written)) continue
    const whole = /^https?:\/\//i.test(written) ? written : `https://${written}`
    for (const form of [whole, withoutEnd(whole)]) {
      const address = spelled(form)
      if (address !== null) found.add(address)
    }
  }
  return found
}

/** Without what may be the sentence's. By hand: a pattern would look at each row of dots from each of them on. */
function withoutEnd(written: string): string {
  let end = written.length
  while (end > 0 && '.,;:!?*_)]}'.includes(written.charAt(end - 1))) end -= 1
  return written.slice(0, end)
}

/** Where an address comes from; `most`: how many of one page's links may be fetched in a run. */
export function judgeAddress(address: string, known: Known, most: number): 'given' | 'exhausted' | 'unknown' {
  const wanted = spelled(address)
  if (wanted === null) return 'unknown'
  const free = freeAddresses(known)
  if (free.has(wanted)) return 'given'
  const pages = linksByPage(known, free).filter((links) => links.has(wanted))
  if (pages.length === 0) return 'unknown'
  // Each time counts, the same address again as well: their order spells, too.
  const fetched = known.fetched.flatMap((one) => spelled(one) ?? [])
  const spent = (links: ReadonlySet<string>): number =>
    fetched.filter((one) => links.has(one) && !free.has(one)).length
  return pages.some((links) => spent(links) < most) ? 'given' : 'exhausted'
}

/** Hosts that a redirect of such a fetch may lead to. */
export function givenHosts(known: Known): ReadonlySet<string> {
  const free = freeAddresses(known)
  const all = [...free, ...linksByPage(known, free).flatMap((links) => [...links])]
  return new Set(all.map((address) => new URL(address).host))
}

function freeAddresses({ words, links }: Known): ReadonlySet<string> {
  const written = words.flatMap((text) => [...addressesIn(text)])
  const found = links.filter(({ page }) => page === null).flatMap((one) => one.links)
  return new Set([...written, ...found])
}

/**
 * A page that was fetched more than once is one page, and so are all that were not given by the user or a search: else a
 * page whose links lead to pages with links of their own would have no end, and each choice among them spells a letter.
 */
function linksByPage({ links }: Known, free: ReadonlySet<string>): readonly ReadonlySet<string>[] {
  const pages = new Map<string | null, Set<string>>()
  for (const { page, links: all } of links) {
    if (page === null) continue
    const address = spelled(page)
    const key = address !== null && free.has(address) ? address : null
    const known = pages.get(key) ?? new Set<string>()
    pages.set(key, known)
    for (const one of all) known.add(one)
  }
  return [...pages.values()]
}
