// What a tool may ask for secrets: by name, for the host that they go to. Plain types.

import type { Result } from '../lib/result.ts'

export interface SecretsPort {
  /**
   * Stored secrets of the workspace, by name. `host`: as in a URL's `host`, with its port where it is not the scheme's own.
   * Fails in words for the model, naming no value: one is not there, is bound to another host, or cannot be read.
   */
  use(names: readonly string[], host: string): Promise<Result<ReadonlyMap<string, string>>>
  /** Secrets that the request of this run brought, by name. Fails in words where one is missing. */
  brought(names: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>
}
