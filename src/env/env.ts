// The Worker's bindings and variables, which are checked once per isolate. Only this file reads the raw environment and
// creates stubs of Durable Objects.

import { DAY_MS } from '../lib/clock.ts'
import { withDisposedResults } from '../lib/dispose-results.ts'
import { CALLS_PER_TOOL_DEFAULT } from '../limits/runs.ts'
import { AUDIT_DAYS_DEFAULT, COMPACT_PERCENT_DEFAULT, RUN_DAYS_DEFAULT } from '../limits/settings.ts'
import { LINK_BITS_DEFAULT } from './limits.ts'
import { Variables, type VariableTexts } from './variables.ts'
import type { ModelEntry } from '../model/registry.ts'
import type { WorkspaceSettings } from '../settings/settings.ts'
import type { EndpointApi } from '../callbacks/api.ts'
import type { CatalogApi } from '../skills/catalog/api.ts'
import type { ScheduleApi } from '../schedules/api.ts'
import type { ThreadApi } from '../thread/api.ts'
import type { HookApi } from '../webhooks/api.ts'
import type { WorkspaceApi } from '../workspace/api.ts'

export interface Env extends VariableTexts {
  readonly SKILLS: KVNamespace
  readonly RESOURCES: R2Bucket
  readonly FILES: R2Bucket
  readonly CATALOGS: DurableObjectNamespace
  readonly THREADS: DurableObjectNamespace
  readonly WORKSPACES: DurableObjectNamespace
  readonly HOOKS: DurableObjectNamespace
  readonly ENDPOINTS: DurableObjectNamespace
  readonly SCHEDULES: DurableObjectNamespace
  /** Absent if the plan has no Worker Loader. Nothing that needs a separate isolate works without it. */
  readonly LOADER?: WorkerLoader
  readonly CHAT_RATE: RateLimit
  readonly FORK_RATE: RateLimit
  readonly MATCH_RATE: RateLimit
  readonly CHANGE_RATE: RateLimit
  readonly TRIAL_RATE: RateLimit
  readonly DENIED_RATE: RateLimit
  readonly DISCOVERY_RATE: RateLimit
  readonly ASSETS?: Fetcher
  /** Set only by `npm start`: serves runtimes that were built after the static files were listed. */
  readonly RUNTIMES?: Fetcher
  /**
   * Set only by `npm start`: connects only to public addresses, whatever a name resolves to. On Cloudflare, the
   * platform enforces this.
   */
  readonly PUBLIC_NET?: Fetcher
  /** Set only by `npm start`: receives the time limits of calls into isolates (src/lib/deadlines.ts). */
  readonly WATCHER?: Fetcher
}

export interface WorkerConfig {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly model: string
  /** Null if not set; then every model with a known price is available. */
  readonly models: readonly ModelEntry[] | null
  readonly adminKey: string | null
  /**
   * Secrets that sign the IDs of keys and hooks; the first one signs new IDs. If empty, no keys or hooks can be used.
   */
  readonly idSecrets: readonly string[]
  /** Keys that encrypt stored secrets; the first one encrypts new secrets. If empty, no secrets can be stored. */
  readonly encryptionKeys: readonly string[]
  readonly secretsInUrl: boolean
  /** Maximum number of active runs and of queued runs of one key or hook. */
  readonly perKey: { readonly running: number; readonly queued: number }
  /** The settings of a workspace in which admins have changed nothing. */
  readonly defaults: WorkspaceSettings
  /** Whether `allowed-tools` of active skills is enforced or only reported. */
  readonly allowedTools: 'enforce' | 'warn'
  /** How many days revoked keys remain listed; null for no time limit. */
  readonly revokedKeysDays: number | null
  /** How long an idle thread keeps the events of its runs; null for indefinitely. */
  readonly eventsRetentionMs: number | null
  /** `host:port` of hosts that guarded requests may reach although they are not public. */
  readonly privateHosts: readonly string[]
  readonly userAgent: string
  /** The search engine of the tool web_search, or null. */
  readonly search: {
    readonly provider: 'tavily' | 'brave' | 'searxng'
    readonly key: string | null
    readonly url: string | null
    /** US dollars per search; null for the engine's list price. */
    readonly price: number | null
  } | null
  readonly devBuild: boolean
}

const parsed = new WeakMap<Env, WorkerConfig>()

/** The Worker's configuration. Throws an error that names an invalid variable: a misconfigured Worker must not run. */
export function config(env: Env): WorkerConfig {
  const known = parsed.get(env)
  if (known) return known
  const variables = Variables.parse(env)
  const result: WorkerConfig = {
    apiKey: variables.ANTHROPIC_API_KEY ?? null,
    baseUrl: variables.ANTHROPIC_BASE_URL ?? null,
    model: variables.MODEL,
    models: variables.MODELS ?? null,
    adminKey: variables.ADMIN_KEY ?? null,
    idSecrets:
      variables.ID_SECRET === undefined
        ? []
        : [variables.ID_SECRET, variables.ID_SECRET_PREVIOUS].filter((secret) => secret !== undefined),
    encryptionKeys:
      variables.ENCRYPTION_KEY === undefined
        ? []
        : [variables.ENCRYPTION_KEY, variables.ENCRYPTION_KEY_PREVIOUS].filter((key) => key !== undefined),
    secretsInUrl: variables.SECRETS_IN_URL === 'on',
    perKey: { running: variables.RUNS_PER_KEY, queued: variables.QUEUED_PER_KEY },
    defaults: {
      files: {
        max_files: variables.FILES_MAX,
        max_file_bytes: variables.FILE_MAX_BYTES,
        max_thread_bytes: variables.THREAD_FILES_MAX_BYTES,
        max_key_bytes: variables.KEY_FILES_MAX_BYTES,
        max_workspace_bytes: variables.WORKSPACE_FILES_MAX_BYTES,
      },
      threads: {
        max_threads: variables.THREADS_MAX,
        max_key_threads: variables.THREADS_PER_KEY,
        max_thread_search_bytes: variables.THREAD_SEARCH_MAX_BYTES,
        max_search_bytes: variables.SEARCH_MAX_BYTES,
        compact_percent: COMPACT_PERCENT_DEFAULT,
      },
      skills: { max_bytes: variables.SKILLS_MAX_BYTES },
      tools: {
        allow: null,
        deny: [],
        untrusted_then_act: 'ask',
        link_bits: LINK_BITS_DEFAULT,
        calls_per_tool: CALLS_PER_TOOL_DEFAULT,
        guardrail_url: null,
        guardrail_failure: 'deny',
      },
      web: { allow_hosts: [], deny_hosts: [], server_search: false },
      runs: { lease_wait_s: variables.LEASE_WAIT_S },
      retention: { run_days: RUN_DAYS_DEFAULT, audit_days: AUDIT_DAYS_DEFAULT, thread_days: null },
    },
    allowedTools: variables.ALLOWED_TOOLS,
    revokedKeysDays: variables.REVOKED_KEYS_DAYS ?? null,
    eventsRetentionMs:
      variables.EVENTS_RETENTION_DAYS === undefined ? null : variables.EVENTS_RETENTION_DAYS * DAY_MS,
    privateHosts: variables.PRIVATE_HOSTS ?? [],
    userAgent: variables.USER_AGENT,
    search: variables.SEARCH_PROVIDER
      ? {
          provider: variables.SEARCH_PROVIDER,
          key: variables.SEARCH_API_KEY ?? null,
          url: variables.SEARCH_URL ?? null,
          price: variables.SEARCH_PRICE === undefined ? null : variables.SEARCH_PRICE / 1_000,
        }
      : null,
    devBuild: variables.DEV_BUILD !== undefined,
  }
  parsed.set(env, result)
  return result
}

/**
 * Typed stubs of Durable Objects. Each call returns a new one, because a stub that broke cannot be used again. The
 * casts are safe, because the methods of every API are asynchronous and pass only plain data and streams. Only a
 * thread returns streams; the caller must release its responses.
 */
export function objects(env: Env): {
  thread(workspace: string, threadId: string): ThreadApi
  /** The thread with this object ID, or null if the ID is invalid. */
  threadById(id: string): ThreadApi | null
  catalog(workspace: string): CatalogApi
  workspace(workspace: string): WorkspaceApi
  hook(hookId: string): HookApi
  endpoint(workspace: string, endpointId: string): EndpointApi
  schedule(workspace: string, scheduleId: string): ScheduleApi
} {
  return {
    thread: (workspace, threadId) =>
      env.THREADS.getByName(`${workspace}/${threadId}`) as unknown as ThreadApi,
    threadById: (id) => {
      try {
        return env.THREADS.get(env.THREADS.idFromString(id)) as unknown as ThreadApi
      } catch {
        return null
      }
    },
    catalog: (workspace) => withDisposedResults(env.CATALOGS.getByName(workspace) as unknown as CatalogApi),
    workspace: (workspace) =>
      withDisposedResults(env.WORKSPACES.getByName(workspace) as unknown as WorkspaceApi),
    hook: (hookId) => withDisposedResults(env.HOOKS.getByName(hookId) as unknown as HookApi),
    endpoint: (workspace, endpointId) =>
      withDisposedResults(env.ENDPOINTS.getByName(`${workspace}/${endpointId}`) as unknown as EndpointApi),
    schedule: (workspace, scheduleId) =>
      env.SCHEDULES.getByName(`${workspace}/${scheduleId}`) as unknown as ScheduleApi,
  }
}
