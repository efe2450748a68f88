// Chooses the model of a new thread whose request names none.

import type { Caller } from '../lib/caller.ts'
import type { ModelRegistry } from './registry.ts'

/**
 * The default model, or the first available model of the key if the default is not among its models. The default if the
 * key has no available model; the key may then not use it.
 */
export function keyDefaultModel(
  models: Pick<ModelRegistry, 'defaultModel' | 'resolve'>,
  { models: allowed }: Pick<Caller, 'models'>,
): string {
  if (allowed === undefined || allowed.includes(models.defaultModel)) return models.defaultModel
  return allowed.find((model) => models.resolve(model) !== null) ?? models.defaultModel
}
