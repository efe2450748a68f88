// Makes the system prompt and the tools of a window from a catalog. Their bytes never change afterwards.

import { systemPrompt } from '../../agent/prompt.ts'
import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import { ok, type Result } from '../../lib/result.ts'
import type { SkillIndex } from '../../skills/skill.ts'
import { indexBudget, levelOne } from '../../skills/view/section.ts'
import { sourcesText } from '../../tools/deferred/split.ts'
import { LOAD_SKILL } from '../../tools/skills/load-skill.ts'
import type { NamedTool, SplitTools } from '../../tools/record/offered.ts'
import {
  definedTools,
  includedTools,
  isChosenBy,
  isConfigured,
  listedTools,
  offeredTools,
} from '../../tools/sources.ts'
import { searchesItself } from '../../tools/web/server-search.ts'
import type { ThreadPorts } from '../parts.ts'

export interface PrefixInput {
  readonly workspace: string
  readonly build: string
  readonly index: SkillIndex
  readonly catalogVersion: number
  readonly model: string
  readonly allow: readonly string[] | null
  readonly offered: SplitTools
  /** Whether the window has the tool that keeps a plan. */
  readonly plan: boolean
  /** Names of the skills that the owner uses most, if known. */
  readonly mostUsed: readonly string[] | undefined
}

export function makePrefix(
  ports: Pick<ThreadPorts, 'skills' | 'liveCatalog' | 'models' | 'search'>,
  { workspace, build, index, catalogVersion, model, allow, offered, plan, mostUsed }: PrefixInput,
): { readonly system: string; readonly tools: readonly ToolRow[] } {
  const audience = { allow, invoked: [] }
  const visible = ports.skills(workspace, index, catalogVersion, audience, () =>
    ports.liveCatalog(workspace, build),
  )
  const size = ports.models.resolve(model)?.facts.window ?? null
  const listed = levelOne(visible.list(), indexBudget(size), mostUsed)
  const { deferred } = offered
  const included = includedTools(offered.listed, {
    describesAll: listed.whole,
    searchesWeb: ports.search(workspace) !== null,
    plan,
    defers: deferred.length > 0,
  })
  const tools = included.map(({ row }) => row)
  const system = systemPrompt(listed.text, !listed.whole, {
    skills: tools.some(({ name }) => name === LOAD_SKILL.spec.name),
    files: included.some(({ row, group }) => !isConfigured(row) && group === 'files'),
    settings: deferred.length > 0 || tools.some(isConfigured),
    deferred: sourcesText(deferred),
  })
  return { system, tools }
}

/** What decides whether a model searches the web itself; null means the default model. */
export interface SearchOptions {
  readonly model: string | null
  /** The tools that the key allows. */
  readonly keyTools?: Caller['tools'] | undefined
}

/**
 * Whether the model of a new window searches the web itself. False if the settings cannot be read, because searches cost
 * extra.
 */
export async function searchesByModel(
  ports: Pick<ThreadPorts, 'models' | 'settings'>,
  workspace: string,
  { model, keyTools }: SearchOptions,
): Promise<boolean> {
  const facts = ports.models.resolve(model ?? ports.models.defaultModel)?.facts
  if (facts?.searchPrice == null) return false
  const settings = await ports.settings(workspace)
  return searchesItself(facts, settings.ok ? settings.value : null, keyTools)
}

/** The tools of a catalog that a window may have. Chosen names that no longer exist are ignored. */
export async function offeredAgain(
  ports: Pick<ThreadPorts, 'models' | 'settings' | 'tools' | 'wholeTools'>,
  workspace: string,
  index: SkillIndex,
  chosen: readonly string[] | null,
  options: SearchOptions,
): Promise<Result<SplitTools>> {
  const offered = await offeredTools({
    builtins: ports.tools(),
    entries: index.tools ?? [],
    searchesItself: await searchesByModel(ports, workspace, options),
  })
  return toolsOfWindow(ports, workspace, stillChosen(offered, chosen), options.keyTools)
}

/** Splits these tools and reads the definitions of those that the window lists. */
export async function toolsOfWindow(
  ports: Pick<ThreadPorts, 'wholeTools'>,
  workspace: string,
  offered: readonly NamedTool[],
  keyTools: Caller['tools'] | undefined,
): Promise<Result<SplitTools>> {
  const split = listedTools(offered, keyTools)
  const listed = await definedTools(split.listed, (entries) => ports.wholeTools(workspace, entries))
  return listed.ok ? ok({ ...split, listed: listed.value }) : listed
}

/** The tools of these that a thread chose by name or group; null means all. */
export function stillChosen(
  offered: readonly NamedTool[],
  chosen: readonly string[] | null,
): readonly NamedTool[] {
  if (chosen === null) return offered
  return offered.filter(isChosenBy(chosen))
}
