// Binds a thread's ports to the real platform: catalog, stores, model, tools, clock.

import { guardedReader } from '../files/documents/guarded.ts'
import { documentReader } from '../files/documents/reader.ts'
import { r2Files } from '../files/store.ts'
import { objects, settings, type Env } from '../env.ts'
import { systemClock } from '../lib/clock.ts'
import { deadlines } from '../lib/deadlines.ts'
import { chance, newId } from '../lib/ids.ts'
import { ok } from '../lib/result.ts'
import { modelRegistry } from '../model/registry.ts'
import { settingsOf } from '../settings/remembered.ts'
import { skillContent } from '../skills/store/content.ts'
import { skillAccess } from '../skills/view/skill-access.ts'
import { BUILTINS } from '../tools/registry.ts'
import type { Outside } from './parts.ts'
import { liveRanked } from './rankings.ts'

export function outsideOf(env: Env): Outside {
  const { allowedTools, eventsRetentionMs } = settings(env)
  return {
    now: systemClock,
    newId,
    chance,
    models: modelRegistry(settings(env)),
    liveCatalog: (workspace, build, ranked) => {
      const catalog = objects(env).catalog(workspace)
      return ranked ? liveRanked(catalog, workspace, build) : catalog.live(build)
    },
    countUses: (workspace, build, names, owner) => objects(env).catalog(workspace).used(build, names, owner),
    index: (workspace, sha256) => skillContent(env, workspace).index(sha256),
    skills: (workspace, index, version, audience, ask, held) =>
      skillAccess({
        index,
        version,
        audience,
        content: skillContent(env, workspace),
        live: ask,
        published: (name, digest) => objects(env).catalog(workspace).version(name, digest),
        ...(held ? { held } : {}),
      }),
    tools: () => BUILTINS,
    allowedTools,
    eventsRetentionMs,
    workspace: (workspace) => objects(env).workspace(workspace),
    store: r2Files(env.FILES),
    documents: guardedReader(documentReader(env.LOADER, env.ASSETS ?? null), deadlines(env.WATCHER)),
    quotas: async (workspace) => {
      const holds = await settingsOf(env, workspace, systemClock)
      return holds.ok ? ok(holds.value.files) : holds
    },
  }
}
