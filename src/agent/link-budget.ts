// Limits how much data fetches can leak. Which of the known addresses the model fetches, and in which order, can reveal what it
// knows to the servers behind them. Each fetch is charged log2 of the number of choices that the model had, so at most 2^bits
// sequences need no approval. Pure: the caller passes in what the thread contains.

import { normalizeUrl, addressesInText, type KnownAddresses } from './addresses.ts'

/** A fetch: the number of the message that contains the call, and the call's index in that message. */
export interface Fetch {
  readonly message: number
  readonly ord: number
  readonly url: string
}

/** A fetch that the model requested earlier. */
export interface EarlierFetch extends Fetch {
  /**
   * Whether the fetch was sent. `no` if it was refused, or is refused unless a person approves it; `undecided` if it is judged
   * together with the current call.
   */
  readonly sent: 'yes' | 'no' | 'undecided'
}

/** A host whose links a person allowed, from this call on. */
export interface AllowedHost {
  readonly host: string
  readonly message: number
  readonly ord: number
}

export interface Choices {
  readonly known: KnownAddresses
  /** Number of the latest message by a person. If null, no person wrote in this thread, and every fetch needs approval. */
  readonly since: number | null
  /** Number of the message after which the model may know private data, or null if it knows none. */
  readonly privateAfter: number | null
  /** The fetches requested since the person's latest message and before the current call, in order, including unsent ones. */
  readonly fetched: readonly EarlierFetch[]
  readonly hosts: readonly AllowedHost[]
  readonly bits: number
}

/**
 * The charge for a search query that the model wrote when it may have known private data: the query selects among the pages that
 * the search engine knows. Assume an attacker who controls a million of them.
 */
const QUERY_BITS = 20

/**
 * Addresses that a person wrote are expected to be fetched in the order written. The next one has a probability of 7/8, so that
 * fetching a list costs little, and all other addresses share 1/8. If an address may end in punctuation of the sentence, the form
 * without it has a probability of 7/8.
 */
const EXPECTED_BITS = Math.log2(8 / 7)
const UNEXPECTED_BITS = 3

function formBits(forms: readonly string[], address: string): number {
  if (forms.length === 1) return 0
  return address === forms.at(-1) ? EXPECTED_BITS : UNEXPECTED_BITS
}

/** Tolerance in bits, so that a sum of logarithms that equals the limit except for rounding passes. */
const ROUNDING_BITS = 1e-9

/**
 * Whether the thread contains the address. `exhausted` means that it does, but this fetch would exceed the number of bits allowed
 * without approval.
 */
export function judgeAddress(fetch: Fetch, choices: Choices): 'given' | 'exhausted' | 'unknown' {
  const ledger = new Ledger(choices)
  for (const earlier of choices.fetched) ledger.charge(earlier)
  return ledger.judge(fetch)
}

class Ledger {
  readonly #choices: Choices
  /** The addresses known as of the last learned message. The value is the index of the charged query, or null if there is none. */
  readonly #known = new Map<string, number | null>()
  /** The addresses that become known later, sorted by message with the next one last. */
  readonly #upcoming: {
    readonly after: number
    readonly query: number | null
    readonly links: readonly string[]
  }[]
  /** The addresses in the person's latest message, in order, each in all forms that the person may have meant. */
  readonly #expectedAddresses: readonly (readonly string[])[]
  readonly #sent = new Set<string>()
  readonly #chargedQueries = new Set<number>()
  #spentBits = 0

  constructor(choices: Choices) {
    const { known, since, privateAfter } = choices
    this.#choices = choices
    this.#expectedAddresses = known.userTexts
      .filter(({ after }) => after === since)
      .flatMap(({ text }) => addressesInText(text))
    this.#upcoming = [
      ...known.userTexts.map(({ after, text }) => ({
        after,
        query: null,
        links: addressesInText(text).flat(),
      })),
      // Compares the message of the query itself: results of the provider's search are known within the message that requests them.
      ...known.links.map(({ after, links, queryMessage: queried }, index) => ({
        after,
        links,
        query: queried !== null && privateAfter !== null && queried > privateAfter ? index : null,
      })),
    ].toSorted((a, b) => b.after - a.after)
  }

  judge(fetch: Fetch): 'given' | 'exhausted' | 'unknown' {
    const cost = this.#costBits(fetch)
    if (cost === null) return 'unknown'
    return this.#allows(cost) ? 'given' : 'exhausted'
  }

  /**
   * Charges an earlier fetch. An unsent fetch is charged too, but does not advance the list that the person wrote: no server notices
   * it, and skipping an address is a choice that the next fetch pays for.
   */
  charge(fetch: EarlierFetch): void {
    const cost = this.#costBits(fetch)
    const address = normalizeUrl(fetch.url)
    if (cost === null || address === null) return
    const { sent } = fetch
    if (sent !== 'yes' && !this.#allows(cost)) return
    if (sent !== 'no') this.#sent.add(address)
    this.#spentBits += cost
    const query = this.#known.get(address)
    if (query != null) this.#chargedQueries.add(query)
  }

  #allows(cost: number): boolean {
    const { since, bits } = this.#choices
    return cost === 0 || (since !== null && this.#spentBits + cost <= bits + ROUNDING_BITS)
  }

  /** The charge in bits, or null if the address is not known. */
  #costBits({ url, message, ord }: Fetch): number | null {
    this.#learn(message)
    const address = normalizeUrl(url)
    const query = address === null ? undefined : this.#known.get(address)
    if (address === null || query === undefined) return null
    const { privateAfter, hosts } = this.#choices
    if (privateAfter === null || message <= privateAfter) return 0
    const { host } = new URL(address)
    if (
      hosts.some(
        (allowed) =>
          allowed.host === host &&
          (allowed.message < message || (allowed.message === message && allowed.ord <= ord)),
      )
    )
      return 0
    const next = this.#expectedAddresses.find((forms) => !forms.some((form) => this.#sent.has(form)))
    if (next?.includes(address)) return EXPECTED_BITS + formBits(next, address)
    // The 1 stands for the choice to fetch nothing more.
    const choiceBits = Math.log2(this.#known.size + 1) + (next ? UNEXPECTED_BITS : 0)
    return choiceBits + (query === null || this.#chargedQueries.has(query) ? 0 : QUERY_BITS)
  }

  /** Adds the addresses that the model knew when it wrote this message. */
  #learn(message: number): void {
    for (let next = this.#upcoming.at(-1); next && next.after < message; next = this.#upcoming.at(-1)) {
      this.#upcoming.pop()
      for (const link of next.links) {
        const knownQuery = this.#known.get(link)
        if (knownQuery === undefined) this.#known.set(link, next.query)
        else if (next.query === null) this.#known.set(link, null)
      }
    }
  }
}
