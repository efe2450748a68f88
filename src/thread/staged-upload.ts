// A handle for an upload in progress, held by its sender. The runtime disposes of the handle even if the
// sender is disconnected and runs no more code.

import { RpcTarget } from 'cloudflare:workers'

export class StagedUpload extends RpcTarget implements Disposable {
  // Private at run time: a member that is private only in TypeScript could be called over RPC.
  readonly #onRelease: () => void

  /** `onRelease` is called when the sender releases the handle. */
  constructor(onRelease: () => void) {
    super()
    this.#onRelease = onRelease
  }

  [Symbol.dispose](): void {
    this.#onRelease()
  }
}
