// An upload in progress, as a handle for its sender. The runtime disposes of it even when the sender is cut off and
// runs no more code.

import { RpcTarget } from 'cloudflare:workers'

export class StagedUpload extends RpcTarget implements Disposable {
  // Private at run time: a member that is private only in TypeScript can be called over RPC.
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
