// Binds a thread's ports to the real platform: catalog, stores, model, tools, clock.

import { guardedReader } from '../files/documents/guarded.ts'
import { documentReader } from '../files/documents/reader.ts'
import { r2Files } from '../files/store.ts'
import { objects, config, type Env } from '../env/env.ts'
import { systemClock } from '../lib/clock.ts'
import { deadlines } from '../lib/deadlines.ts'
import { hostAndPortOf } from '../lib/hosts.ts'
import { randomFraction, newId } from '../lib/ids.ts'
import { ok } from '../lib/result.ts'
import { modelRegistry } from '../model/registry.ts'
import { whyUnreachable, workspaceFetch, workspaceStream } from '../net/workspace-fetch.ts'
import { settingsOf } from '../settings/settings-cache.ts'
import { Isolates } from '../sandbox/isolates.ts'
import { Runtimes } from '../sandbox/runtimes.ts'
import { commandQueue } from '../sandbox/command-queue.ts'
import { sandboxOf, type SandboxParts } from '../sandbox/sandbox.ts'
import { skillContent } from '../skills/store/content.ts'
import { skillAccess } from '../skills/view/skill-access.ts'
import { inTurns } from '../files/documents/in-turns.ts'
import { BUILTINS } from '../tools/builtins.ts'
import { sealer } from '../secrets/seal.ts'
import { searchPrice, webSearch } from '../tools/web/search/search.ts'
import { createCopyQueue } from './fork/copy-queue.ts'
import type { ThreadPorts } from './parts.ts'
import { liveRankedCatalog } from './rankings.ts'

/**
 * One instance for all threads of an isolate: it holds no state of a thread, and each object reads it several
 * times.
 */
const portsByEnv = new WeakMap<Env, ThreadPorts>()

export function portsOf(env: Env): ThreadPorts {
  const cached = portsByEnv.get(env) ?? makePorts(env)
  portsByEnv.set(env, cached)
  return cached
}

function makePorts(env: Env): ThreadPorts {
  const loader = env.LOADER
  const watchdog = deadlines(env.WATCHER)
  const { allowedTools, eventsRetentionMs, encryptionKeys, secretsInUrl } = config(env)
  return {
    now: systemClock,
    newId,
    randomFraction,
    models: modelRegistry(config(env)),
    liveCatalog: (workspace, build, ranked) => {
      const catalog = objects(env).catalog(workspace)
      return ranked ? liveRankedCatalog(catalog, workspace, build) : catalog.live(build)
    },
    countUses: (workspace, build, names, owner) => objects(env).catalog(workspace).used(build, names, owner),
    index: (workspace, sha256) => skillContent(env, workspace).index(sha256),
    wholeTools: (workspace, tools) => skillContent(env, workspace).wholeTools(tools),
    skills: (workspace, index, version, audience, readLive, namesInContext) =>
      skillAccess({
        index,
        version,
        audience,
        content: skillContent(env, workspace),
        live: readLive,
        published: (name, digest) => objects(env).catalog(workspace).version(name, digest),
        ...(namesInContext ? { namesInContext } : {}),
      }),
    tools: () => BUILTINS,
    toolNet: (workspace) => workspaceFetch(env, workspace, systemClock),
    toolStream: (workspace) => workspaceStream(env, workspace, systemClock),
    secretsInUrl,
    allowedTools,
    eventsRetentionMs,
    workspace: (workspace) => objects(env).workspace(workspace),
    endpoint: (workspace, endpointId) => objects(env).endpoint(workspace, endpointId),
    thread: (workspace, threadId) => objects(env).thread(workspace, threadId),
    hook: (hookId) => objects(env).hook(hookId),
    starter: (workspace, keyId) => {
      const [, kind, id] = /^(hook|schedule):(.+)$/.exec(keyId) ?? []
      if (id === undefined) return null
      return kind === 'hook' ? objects(env).hook(id) : objects(env).schedule(workspace, id)
    },
    sealer: sealer(encryptionKeys),
    sandbox: (workspace, threadId) => sandboxOf(sandboxParts(env), workspace, threadId),
    net: (workspace) => workspaceFetch(env, workspace, systemClock),
    whyUnreachable: (workspace, address) => whyUnreachable(env, workspace, systemClock, address),
    privateHosts: config(env).privateHosts,
    search: (workspace) => {
      const { search } = config(env)
      if (!search) return null
      // The operator configured the engine's address, so its host is allowed; the workspace's host lists still
      // apply.
      const engineHosts = search.url === null ? [] : [hostAndPortOf(new URL(search.url))]
      const send = webSearch(search, workspaceFetch(env, workspace, systemClock, engineHosts))
      return { send, usdPerSearch: searchPrice(search) }
    },
    store: r2Files(env.FILES),
    copyInTurn,
    documents: loader
      ? inTurns((slot) => guardedReader(documentReader(loader, env.ASSETS ?? null, slot), watchdog))
      : null,
    settings: (workspace) => settingsOf(env, workspace, systemClock),
    leaseWaitMs: async (workspace) => {
      const settings = await settingsOf(env, workspace, systemClock)
      const { runs } = settings.ok ? settings.value : config(env).defaults
      return runs.lease_wait_s * 1_000
    },
    toolSettings: async (workspace) => {
      const settings = await settingsOf(env, workspace, systemClock)
      return settings.ok ? ok(settings.value.tools) : settings
    },
    quotas: async (workspace) => {
      const settings = await settingsOf(env, workspace, systemClock)
      return settings.ok ? ok(settings.value.files) : settings
    },
  }
}

const copyInTurn = createCopyQueue()

/**
 * One instance for all threads of an isolate: they share the loaded runtimes and the list of used-up
 * isolates.
 */
const sandboxes = new WeakMap<Env, SandboxParts>()

function sandboxParts(env: Env): SandboxParts {
  const cached = sandboxes.get(env)
  if (cached) return cached
  const sources = [env.ASSETS, env.RUNTIMES].filter((source) => source !== undefined)
  const parts: SandboxParts = {
    isolates: new Isolates(
      env.LOADER ?? null,
      new Runtimes(sources),
      systemClock,
      // The Cloudflare platform evicts isolates itself. `gc` exists only if scripts/workerd/miniflare.ts
      // enabled it.
      env.WATCHER ? () => (globalThis as { readonly gc?: () => void }).gc?.() : null,
    ),
    deadlines: deadlines(env.WATCHER),
    queue: commandQueue(systemClock),
    now: systemClock,
  }
  sandboxes.set(env, parts)
  return parts
}
