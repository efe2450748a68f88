// How much the choice of addresses may say: which of the known addresses is fetched, in which order, tells the servers
// behind them what the model knows. A fetch is charged log2 of the choices that there were, so that at most
// 2^bits sequences need no approval. Pure: the caller passes in what the thread contains.

import { normalizeUrl, addressesInText, type KnownAddresses } from './addresses.ts'

/** A call that fetches: the number of the message that asks for it, and its place there. */
export interface Fetch {
  readonly message: number
  readonly ord: number
  readonly url: string
}

/** A call that was asked for earlier. */
export interface EarlierFetch extends Fetch {
  /**
   * `no`: it was refused, or is refused until a person says otherwise. `undecided`: it is judged together with the call
   * in question.
   */
  readonly sent: 'yes' | 'no' | 'undecided'
}

/** A person allowed the links of a host, from this call on. */
export interface AllowedHost {
  readonly host: string
  readonly message: number
  readonly ord: number
}

export interface Choices {
  readonly known: KnownAddresses
  /** The newest message of a person; null if no person wrote in this thread: then every fetch needs approval. */
  readonly since: number | null
  /** After this message the model may know private data; null if it does not. */
  readonly privateAfter: number | null
  /** Asked for since that message and before the call in question, in their order; also what was not made then. */
  readonly fetched: readonly EarlierFetch[]
  readonly hosts: readonly AllowedHost[]
  readonly bits: number
}

/**
 * What a query adds that the model wrote when it may have known private data: it chose among the pages that the engine
 * knows. Assume an attacker who controls a million of them.
 */
const QUERY_BITS = 20

/**
 * Addresses that a person wrote are expected to be fetched in the order written: seven in eight go to the next
 * of them, so that a list costs little, and one in eight to everything else. Where it may end in a mark of the sentence, seven
 * in eight of that go to it without the mark.
 */
const EXPECTED_BITS = Math.log2(8 / 7)
const UNEXPECTED_BITS = 3

function formBits(forms: readonly string[], address: string): number {
  if (forms.length === 1) return 0
  return address === forms.at(-1) ? EXPECTED_BITS : UNEXPECTED_BITS
}

/** So that sums of logarithms that come to the very limit pass. */
const ROUNDING = 1e-9

/** Where an address comes from; `exhausted`: its source is known, but this fetch would exceed the bits allowed without approval. */
export function judgeAddress(wanted: Fetch, choices: Choices): 'given' | 'exhausted' | 'unknown' {
  const ledger = new Ledger(choices)
  for (const one of choices.fetched) ledger.enter(one)
  return ledger.judge(wanted)
}

class Ledger {
  readonly #choices: Choices
  /** Known at the message that was looked at last. The number of the query that found it, null: it takes none. */
  readonly #known = new Map<string, number | null>()
  /** What becomes known, by its message. */
  readonly #coming: {
    readonly after: number
    readonly query: number | null
    readonly links: readonly string[]
  }[]
  /** Of the newest message of a person, in its order: each address in the forms in which it may be meant. */
  readonly #written: readonly (readonly string[])[]
  readonly #seen = new Set<string>()
  readonly #paid = new Set<number>()
  #spent = 0

  constructor(choices: Choices) {
    const { known, since, privateAfter } = choices
    this.#choices = choices
    this.#written = known.userTexts
      .filter(({ after }) => after === since)
      .flatMap(({ text }) => addressesInText(text))
    this.#coming = [
      ...known.userTexts.map(({ after, text }) => ({
        after,
        query: null,
        links: addressesInText(text).flat(),
      })),
      // By the query's own message: results of the provider's search are known within the message that asks for them.
      ...known.links.map(({ after, links, queried }, at) => ({
        after,
        links,
        query: queried !== null && privateAfter !== null && queried > privateAfter ? at : null,
      })),
    ].toSorted((a, b) => b.after - a.after)
  }

  judge(wanted: Fetch): 'given' | 'exhausted' | 'unknown' {
    const cost = this.#cost(wanted)
    if (cost === null) return 'unknown'
    return this.#allows(cost) ? 'given' : 'exhausted'
  }

  /**
   * What was not sent moves no list: a server cannot tell it from silence, and to leave an address out is a choice that is
   * paid with the next one. It is charged all the same, as a sent one is.
   */
  enter(fetched: EarlierFetch): void {
    const cost = this.#cost(fetched)
    const address = normalizeUrl(fetched.url)
    if (cost === null || address === null) return
    const { sent } = fetched
    if (sent !== 'yes' && !this.#allows(cost)) return
    if (sent !== 'no') this.#seen.add(address)
    this.#spent += cost
    const query = this.#known.get(address)
    if (query != null) this.#paid.add(query)
  }

  #allows(cost: number): boolean {
    const { since, bits } = this.#choices
    return cost === 0 || (since !== null && this.#spent + cost <= bits + ROUNDING)
  }

  /** In bits; null if the address is not known. */
  #cost({ url, message, ord }: Fetch): number | null {
    this.#learn(message)
    const address = normalizeUrl(url)
    const query = address === null ? undefined : this.#known.get(address)
    if (address === null || query === undefined) return null
    const { privateAfter, hosts } = this.#choices
    if (privateAfter === null || message <= privateAfter) return 0
    const { host } = new URL(address)
    if (
      hosts.some(
        (one) => one.host === host && (one.message < message || (one.message === message && one.ord <= ord)),
      )
    )
      return 0
    const next = this.#written.find((forms) => !forms.some((form) => this.#seen.has(form)))
    if (next?.includes(address)) return EXPECTED_BITS + formBits(next, address)
    // To fetch nothing more is a choice, too.
    const among = Math.log2(this.#known.size + 1) + (next ? UNEXPECTED_BITS : 0)
    return among + (query === null || this.#paid.has(query) ? 0 : QUERY_BITS)
  }

  #learn(message: number): void {
    for (let next = this.#coming.at(-1); next && next.after < message; next = this.#coming.at(-1)) {
      this.#coming.pop()
      for (const link of next.links) {
        const before = this.#known.get(link)
        if (before === undefined) this.#known.set(link, next.query)
        else if (next.query === null) this.#known.set(link, null)
      }
    }
  }
}
