// The route for the tools that the caller's agent may call in a new thread.

import { permitsTool } from '../../agent/policies/tool-lists.ts'
import { config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { modelRegistry } from '../../model/registry.ts'
import { settingsOf } from '../../settings/settings-cache.ts'
import { BUILTINS } from '../../tools/builtins.ts'
import { includedTools, listedTools, offeredTools } from '../../tools/sources.ts'
import { isDispatcher } from '../../tools/deferred/names.ts'
import { searchesItself } from '../../tools/web/server-search.ts'
import { limitCatalogRead } from '../admission/queues.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { callableTool } from '../tools/info.ts'
import { liveIndex } from './skills.ts'

/** Lists the tools in the order of the prompt. The list has no pages, because a request may choose from all of them. */
async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const models = modelRegistry(config(c.env))
  const facts = models.resolve(models.defaultModel)?.facts
  const settings = await settingsOf(c.env, caller.workspace, systemClock)
  if (!settings.ok) return settings
  const searches = searchesItself(facts, settings.value, caller.tools)
  const entries = live.value.index.tools ?? []
  const all = await offeredTools({ builtins: BUILTINS, entries, searchesItself: searches })
  const defers = listedTools(all, caller.tools).deferred.length > 0
  // Whether a thread has skill search or a plan is decided when it is created.
  const searchesWeb = config(c.env).search !== null
  const offered = includedTools(all, { describesAll: false, searchesWeb, plan: true, defers })
  const lists = [settings.value.tools, ...(caller.tools ? [caller.tools] : [])]
  const data = offered
    .filter(
      ({ row, group }) => isDispatcher(row.name) || lists.every((list) => permitsTool(list, row.name, group)),
    )
    .map(callableTool)
  return json({ data, catalog_version: live.value.version })
}

export const toolRoutes: readonly KeyedRoute[] = [route('chat', 'GET', '/v1/tools', limitCatalogRead(list))]
