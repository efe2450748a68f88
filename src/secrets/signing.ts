// Seals the secrets with which a hook verifies deliveries and an endpoint signs events, and opens them. They are opened once for
// each instance of the object, so that a delivery does not wait for it.

import { fail, ok, type Result } from '../lib/result.ts'
import { sealer, type Sealer } from './seal.ts'
import { NO_ENCRYPTION_KEY } from './stored.ts'

/** The object to which a secret belongs. IDs of hooks and endpoints begin differently. */
interface Owner {
  readonly id: string
  readonly workspace: string
}

/** An object with its secrets as they are stored. */
export interface SealedSigning extends Owner {
  readonly sealed: string
  /** The replaced secret, and until when it is valid, in epoch milliseconds. */
  readonly previous: { readonly sealed: string; readonly until: number } | null
}

export class SigningSecrets {
  readonly #sealer: Sealer | null
  readonly #store: (from: string, to: string) => void
  /** What was opened, by its sealed text. */
  readonly #opened = new Map<string, Promise<Result<string>>>()

  /** `keys` as in `sealer`; `store` replaces a sealed text by one that is sealed with the current key. */
  constructor(keys: readonly string[], store: (from: string, to: string) => void) {
    this.#sealer = sealer(keys)
    this.#store = store
  }

  /** Failure: `not_configured` without ENCRYPTION_KEY. */
  async seal(owner: Owner, secret: string): Promise<Result<string>> {
    return this.#sealer ? ok(await this.#sealer.seal(secret, contextOf(owner))) : NO_ENCRYPTION_KEY
  }

  /**
   * The secret, and the replaced one while it is valid. Fails with `not_configured` if the secret cannot be read; a replaced one
   * that cannot be read is left out.
   */
  async open(from: SealedSigning, now: number): Promise<Result<readonly [string, ...string[]]>> {
    const { sealed, previous } = from
    const current = await this.#openOne(from, sealed)
    if (!current.ok) return current
    const replaced = previous && now < previous.until ? await this.#openOne(from, previous.sealed) : null
    return ok(replaced?.ok ? [current.value, replaced.value] : [current.value])
  }

  #openOne(owner: Owner, sealed: string): Promise<Result<string>> {
    const known = this.#opened.get(sealed)
    if (known) return known
    // One more than an object has: those of before a replacement are dropped.
    if (this.#opened.size > 2) this.#opened.clear()
    const opening = this.#decrypt(owner, sealed)
    this.#opened.set(sealed, opening)
    opening.catch(() => this.#opened.delete(sealed))
    return opening
  }

  async #decrypt(owner: Owner, sealed: string): Promise<Result<string>> {
    if (!this.#sealer) return NO_ENCRYPTION_KEY
    const opened = await this.#sealer.open(sealed, contextOf(owner))
    if (!opened.ok)
      return fail(
        'not_configured',
        'The signing secret cannot be read with the ENCRYPTION_KEY of this Worker. Set the earlier key again, also as ENCRYPTION_KEY_PREVIOUS, or replace the secret with a request to its /rotate route.',
      )
    if ((await this.#sealer.keyOf(sealed)) === 'previous')
      this.#store(sealed, await this.#sealer.seal(opened.value, contextOf(owner)))
    return ok(opened.value)
  }
}

function contextOf({ workspace, id }: Owner): readonly string[] {
  return ['signing secret', workspace, id]
}
