// How a tool requests secrets: by name, for the host they go to. Plain types.

import type { Result } from '../lib/result.ts'

export interface SecretsPort {
  /**
   * Stored secrets of the workspace, by name. `host`: as in a URL's `host`, with its port unless it is the scheme's default.
   * Fails with a message for the model, without values, if one is missing, is bound to another host, or cannot be read.
   */
  use(names: readonly string[], host: string): Promise<Result<ReadonlyMap<string, string>>>
  /** Secrets that this run's request brought, by name. Fails with a message if one is missing. */
  brought(names: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>
}
