// The guarded fetch of one workspace: its lists and the operator's hosts, over the bindings that are there.

import { settings, type Env } from '../env.ts'
import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import { settingsOf } from '../settings/remembered.ts'
import type { GuardedFetch } from './fetch.ts'
import { guardedFetch } from './guarded-fetch.ts'

/**
 * `named`: `host:port` that the operator names for this use alone, private or not.
 * Locally public hosts are reached over PUBLIC_NET, which checks the connected address; deployed there is no other.
 */
export function workspaceFetch(
  env: Env,
  workspace: string,
  now: Clock,
  named: readonly string[] = [],
): GuardedFetch {
  const { privateHosts: always, userAgent } = settings(env)
  const privateHosts = [...always, ...named]
  const plain: typeof fetch = (...of) => fetch(...of)
  const checked = env.PUBLIC_NET
  return guardedFetch({
    policy: async () => {
      const holds = await settingsOf(env, workspace, now)
      if (!holds.ok) return err(holds.error.detail)
      const { allow_hosts: allowHosts, deny_hosts: denyHosts } = holds.value.web
      return ok({ allowHosts, denyHosts, privateHosts })
    },
    fetch: { public: checked ? (...of) => checked.fetch(...of) : plain, private: plain },
    userAgent,
  })
}
