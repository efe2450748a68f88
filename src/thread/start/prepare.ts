// Collects what a run needs before it can begin. Everything here may wait; the block that follows is
// synchronous.

import { redact } from '../../lib/redact.ts'
import { err, fail, ok, type Result } from '../../lib/result.ts'
import type { Caller } from '../../lib/caller.ts'
import type { RankedCatalog, SkillIndex } from '../../skills/skill.ts'
import { changesBetween, type IndexChanges } from '../../skills/view/index-changes.ts'
import type { SkillCall } from '../../skills/view/slash.ts'
import type { SplitTools } from '../../tools/record/offered.ts'
import { chosenTools, offeredTools } from '../../tools/sources.ts'
import type { StartInput } from '../api.ts'
import type { Parts, ThreadPorts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import type { ThreadData } from '../rows/thread-row.ts'
import { searchesByModel, stillChosen, toolsOfWindow } from '../windows/prefix.ts'
import { callSkills, type CalledSkill } from './call-skills.ts'

export interface Prepared {
  /** Includes the ranking of skills by use if a window is being made. */
  readonly live: RankedCatalog
  readonly index: SkillIndex
  /** The tools that a new window has, before some are excluded by its prompt; none if no window is being made. */
  readonly tools: SplitTools
  readonly called: readonly CalledSkill[]
  /** Null if the model already knows this catalog, or if nothing that it can see has changed. */
  readonly changes: IndexChanges | null
}

/**
 * What a request sets for a thread that it creates; null means everything, or the default model. With `rebase` an
 * existing thread gets a new window; null then keeps what it has. `keyTools` are the tools that its key allows.
 */
export type CreateOptions = Pick<StartInput, 'allowSkills' | 'tools' | 'model'> & {
  readonly keyTools?: Caller['tools']
  readonly rebase?: boolean
}

type PreparePorts = Pick<
  ThreadPorts,
  'liveCatalog' | 'index' | 'skills' | 'tools' | 'wholeTools' | 'models' | 'settings'
>

/**
 * Reads the live catalog (one hop), its index (usually from the isolate's cache), and the skills that the
 * message calls. The caller decides whether an unreadable skill prevents the run. `thread` is null if it has
 * no prefix yet; then `createOptions` says what it may have.
 */
export async function prepare(
  ports: PreparePorts,
  workspace: string,
  build: string,
  thread: ThreadData | null,
  createOptions: CreateOptions,
  calls: readonly SkillCall[],
): Promise<Result<Prepared>> {
  const makesWindow = thread === null || createOptions.rebase === true
  const model = createOptions.model ?? thread?.model ?? null
  const [live, searches] = await Promise.all([
    ports.liveCatalog(workspace, build, makesWindow),
    makesWindow && searchesByModel(ports, workspace, { ...createOptions, model }),
  ])
  if (!live.ok) return live
  const index = await ports.index(workspace, live.value.index)
  if (!index.ok) return err(index.error)
  const entries = index.value.tools ?? []
  const offering = { builtins: ports.tools(), entries, searchesItself: searches }
  const offered = makesWindow ? await offeredTools(offering) : []
  const keepsTools = thread !== null && (!makesWindow || createOptions.tools === null)
  const chosen = keepsTools
    ? ok(stillChosen(offered, thread.chosenTools))
    : chosenTools(offered, createOptions.tools)
  if (!chosen.ok) return chosen
  const tools = await toolsOfWindow(ports, workspace, chosen.value, createOptions.keyTools)
  if (!tools.ok) return tools
  const pinned = { live: live.value, index: index.value, tools: tools.value }
  const allow = thread ? thread.allow : createOptions.allowSkills
  const called = await callSkills(ports, workspace, pinned, allow, calls)
  if (makesWindow || thread.seenIndex === live.value.index) return ok({ ...pinned, called, changes: null })
  const seen = await ports.index(workspace, thread.seenIndex)
  if (!seen.ok) return err(seen.error)
  const changes = changesBetween(seen.value, index.value, { allow, invoked: [] })
  const isUnchanged = changes.added.length + changes.changed.length + changes.removed.length === 0
  return ok({ ...pinned, called, changes: isUnchanged ? null : changes })
}

/** Prepares a queued run. Never rejects: an unreachable object is reported as a failure, too. */
export async function preparedFor(
  { row, ports }: Parts<'row', keyof PreparePorts>,
  run: Run,
): Promise<Result<Prepared>> {
  const { data } = row
  try {
    const { rebase = { model: null, tools: null } } = run.ask
    const options = { ...rebase, allowSkills: null, keyTools: run.options.tools, rebase: 'rebase' in run.ask }
    return await prepare(ports, data.workspace, run.build, data, options, run.ask.calls)
  } catch (error) {
    return fail('overloaded', `The catalog could not be read: ${redact(String(error))}`)
  }
}
