// An upload that is under way, as whoever sends its bytes holds it. Also a holder that is cut off, which runs no code any more,
// lets go of it: the runtime sees to that.

import { RpcTarget } from 'cloudflare:workers'

export class StagedUpload extends RpcTarget implements Disposable {
  // Private by name: what is only private by type can be called over RPC.
  readonly #over: () => void

  /** `over` is called once nobody holds it. */
  constructor(over: () => void) {
    super()
    this.#over = over
  }

  [Symbol.dispose](): void {
    this.#over()
  }
}
