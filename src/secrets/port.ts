// The port through which tools request secrets.

import type { Result } from '../lib/result.ts'
import type { TokenPort } from './tokens.ts'

export interface SecretsPort {
  /**
   * Stored secrets of the workspace, by name, for a request to `host`, which is the `host` of a URL. Fails if a secret
   * is missing, is bound to another host or cannot be read. The message is for the model and contains no values.
   */
  use(names: readonly string[], host: string): Promise<Result<ReadonlyMap<string, string>>>
  /** Secrets that the caller supplied with the request for this run, by name. Fails if a secret is missing. */
  brought(names: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>
  /** Access tokens that the workspace obtained with its secrets. */
  readonly tokens: TokenPort
}
