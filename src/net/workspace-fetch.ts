// The guarded fetch of one workspace: applies its lists and the operator's hosts, and sends over the
// available bindings.

import { config, type Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { settingsOf } from '../settings/settings-cache.ts'
import type { GuardedFetch, GuardedStream } from './fetch.ts'
import { judgeUrl, type GuardPolicy } from './guard.ts'
import { guardedFetch, guardedStream, type FetchPorts } from './guarded-fetch.ts'

/**
 * Why the guard would refuse a request to this address under the workspace's current lists, as the end of a
 * sentence that begins with the address. Null if it would not be refused, or if the settings cannot be read.
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
  const zone = judgeUrl(url, policy.value)
  return zone.ok ? null : zone.error
}

async function policyOf(
  env: Env,
  workspace: string,
  now: Clock,
  extraPrivateHosts: readonly string[],
): Promise<Result<GuardPolicy, string>> {
  const settings = await settingsOf(env, workspace, now)
  if (!settings.ok) return err(settings.error.detail)
  const { allow_hosts: allowHosts, deny_hosts: denyHosts } = settings.value.web
  return ok({ allowHosts, denyHosts, privateHosts: [...config(env).privateHosts, ...extraPrivateHosts] })
}

/** `extraPrivateHosts` are `host:port` pairs, private or public, that the operator allows for this use only. */
export function workspaceFetch(
  env: Env,
  workspace: string,
  now: Clock,
  extraPrivateHosts: readonly string[] = [],
): GuardedFetch {
  return guardedFetch(portsOf(env, workspace, now, extraPrivateHosts))
}

export function workspaceStream(env: Env, workspace: string, now: Clock): GuardedStream {
  return guardedStream(portsOf(env, workspace, now, []))
}

/**
 * Locally, public hosts are reached over PUBLIC_NET, which checks the resolved address; a deployed Worker can only reach
 * public addresses.
 */
function portsOf(env: Env, workspace: string, now: Clock, extraPrivateHosts: readonly string[]): FetchPorts {
  const { userAgent } = config(env)
  const directFetch: typeof fetch = (...args) => fetch(...args)
  const publicNet = env.PUBLIC_NET
  return {
    policy: () => policyOf(env, workspace, now, extraPrivateHosts),
    fetch: { public: publicNet ? (...args) => publicNet.fetch(...args) : directFetch, private: directFetch },
    userAgent,
  }
}
