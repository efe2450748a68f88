// The guarded fetch of one workspace: its lists and the operator's hosts, over the available bindings.

import { config, type Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { settingsOf } from '../settings/remembered.ts'
import type { GuardedFetch } from './fetch.ts'
import { judgeUrl, type GuardPolicy } from './guard.ts'
import { guardedFetch } from './guarded-fetch.ts'

/**
 * Why the guard would refuse a request to this address under the workspace's current lists: the rest of a sentence that begins
 * with it. Null: it would not, or the settings cannot be read.
 */
export async function whyUnreachable(
  env: Env,
  workspace: string,
  now: Clock,
  address: string,
): Promise<string | null> {
  const policy = await policyOf(env, workspace, now, [])
  const url = URL.parse(address)
  if (!policy.ok || !url) return null
  const way = judgeUrl(url, policy.value)
  return way.ok ? null : way.error
}

async function policyOf(
  env: Env,
  workspace: string,
  now: Clock,
  named: readonly string[],
): Promise<Result<GuardPolicy, string>> {
  const holds = await settingsOf(env, workspace, now)
  if (!holds.ok) return err(holds.error.detail)
  const { allow_hosts: allowHosts, deny_hosts: denyHosts } = holds.value.web
  return ok({ allowHosts, denyHosts, privateHosts: [...config(env).privateHosts, ...named] })
}

/**
 * `named`: `host:port` that the operator names for this use only, private or not. Locally, public hosts are reached over
 * PUBLIC_NET, which checks the resolved address; a deployed Worker has only public ones.
 */
export function workspaceFetch(
  env: Env,
  workspace: string,
  now: Clock,
  named: readonly string[] = [],
): GuardedFetch {
  const { userAgent } = config(env)
  const plain: typeof fetch = (...of) => fetch(...of)
  const checked = env.PUBLIC_NET
  return guardedFetch({
    policy: () => policyOf(env, workspace, now, named),
    fetch: { public: checked ? (...of) => checked.fetch(...of) : plain, private: plain },
    userAgent,
  })
}
