// The packages that scripts of this deployment can import, for checks when a skill is published.

import type { Env } from '../../env/env.ts'
import { Runtimes } from '../../sandbox/runtimes.ts'
import type { InstalledPackages } from '../../sandbox/installed-packages.ts'

/** Each environment has one, which caches the list. */
const runtimes = new WeakMap<Env, Runtimes>()

/** Never rejects: without a list, there are none. */
export async function installedPackages(env: Env): Promise<InstalledPackages> {
  const cached = runtimes.get(env)
  const own = cached ?? new Runtimes([env.ASSETS, env.RUNTIMES].filter((source) => source !== undefined))
  if (!cached) runtimes.set(env, own)
  return own.installed()
}
