// Opens a deployment of this checkout: writes its configuration and returns a function that runs wrangler with it.

import { join } from 'node:path'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { cachedText, type CachedText } from '../lib/file-cache.ts'
import { wranglerIn, type RunWrangler } from '../lib/wrangler.ts'
import { configFile, configFor, writeConfig, type Config } from './config.ts'

export interface Deployment {
  readonly config: Config
  readonly run: RunWrangler
}

/** Opens the deployment `env`. Fails if wrangler.toml or `env` is invalid. wrangler gets `variables` in each call. */
export async function openDeployment(
  root: string,
  env: string | null,
  variables: Readonly<Record<string, string>> = {},
): Promise<Result<Deployment, string>> {
  const read: unknown = JSON.parse(await cachedText(root, 'wrangler-config', async () => readConfig(root)))
  const config = configFor(read, root, env)
  if (!config.ok) return err(config.error)
  writeConfig(root, config.value)
  const wrangler = wranglerIn(root, variables)
  const file = configFile(root, config.value)
  return ok({
    config: config.value,
    run: async (args, call) => wrangler([...args, '--config', file], call),
  })
}

async function readConfig(root: string): Promise<CachedText> {
  // Imported on demand, because loading wrangler takes a second and a half.
  const { experimental_readRawConfig: readRawConfig } = await import('wrangler')
  const { rawConfig } = readRawConfig({ config: join(root, 'wrangler.toml') })
  return { value: JSON.stringify(rawConfig), inputs: ['wrangler.toml', 'package-lock.json'] }
}
