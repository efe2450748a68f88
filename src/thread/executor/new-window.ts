// Begins a new window: makes its prefix and its opening, and writes it in one transaction.

import { buildOpening } from '../../agent/opening.ts'
import { keepsPlan } from '../../agent/todos.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import type { WindowPrefix } from '../rows/windows.ts'
import { windowTokens } from '../windows/fullness.ts'
import { materials } from '../windows/materials.ts'
import { makePrefix, offeredAgain } from '../windows/prefix.ts'
import { definitionText } from '../../tools/deferred/definition-text.ts'
import { CALL_TOOL_NAME } from '../../tools/deferred/names.ts'
import type { EventBody } from '../../agent/events.ts'
import type { Execution, PinnedCatalog } from './execution.ts'

export type WindowThread = Parts<
  'ctx' | 'row' | 'runs' | 'log' | 'loads' | 'revealed' | 'transcript' | 'files' | 'atomically',
  'now' | 'models' | 'settings' | 'skills' | 'liveCatalog' | 'search' | 'tools' | 'wholeTools'
>

export interface Summary {
  readonly text: string
  readonly way: Extract<EventBody, { type: 'context.compacted' }>['way']
  readonly usd: number
}

interface Border {
  /** Number of the first message that the new window contains. */
  readonly begins: number
  /** Whether the newest message of a person is not answered yet and comes before the border. */
  readonly isOpen: boolean
  /** Estimated tokens of the next request in the old window. */
  readonly beforeTokens: number
  readonly least: boolean
}

/** System prompt and tools. They keep their bytes if the run's catalog is the one that they were made from. */
async function nextPrefix(
  { row, ports }: WindowThread,
  run: Run,
  { index }: Pick<PinnedCatalog, 'index'>,
): Promise<WindowPrefix & { readonly isSame: boolean }> {
  const { system, tools, chosenTools, catalogVersion, window, workspace, allow } = row.data
  const { model, build } = run
  if (window.catalogIndex === run.catalogIndex)
    return { model, chosenTools, catalogVersion, system, tools, isSame: true }
  const options = { model, keyTools: run.options.tools }
  const offered = await offeredAgain(ports, workspace, index, chosenTools, options)
  if (!offered.ok) throw new Error(offered.error.detail)
  const catalog = { workspace, build, index, catalogVersion: run.catalogVersion }
  const plan = keepsPlan(row.data)
  const about = { ...catalog, model, allow, offered: offered.value, plan, mostUsed: undefined }
  const made = makePrefix(ports, about)
  return { model, chosenTools, catalogVersion: run.catalogVersion, ...made, isSame: false }
}

/** Resolves once the window is on disk, or when the execution has to stop. Rejects if the catalog cannot be read. */
export async function beginWindow(
  thread: WindowThread,
  execution: Execution,
  run: Run,
  facts: ModelFacts,
  { text: summary, way, usd }: Summary,
  { begins, isOpen, beforeTokens, least }: Border,
): Promise<void> {
  const pinned = await execution.pinned(run)
  const { isSame, ...prefix } = await nextPrefix(thread, run, pinned)
  const parts = await materials(thread, pinned.tools.context.skills, begins, isOpen, summary)
  await checkpoint('window.prepared', thread.ctx)
  if (!execution.holdsRun()) return
  const { row, transcript, files, runs, log } = thread
  const { window } = row.data
  const specs = JSON.stringify(prefix.tools.map(({ spec }) => spec))
  const prefixTokens = estimateTokens(prefix.system + specs)
  const size = { window: windowTokens(thread, facts), prefix: prefixTokens, least }
  const found = prefix.tools.some(({ name }) => name === CALL_TOOL_NAME) ? thread.revealed.before(begins) : []
  const tools = found.map((tool) => ({ name: tool.name, text: definitionText(tool) }))
  const opening = buildOpening({ ...parts, tools }, size)
  const skills = parts.skills
    .filter(({ name }) => opening.skills.includes(name))
    .map(({ name, category, digest }) => ({ name, category, digest }))
  thread.atomically(() => {
    row.beginWindow({
      ...prefix,
      window: {
        number: window.number + 1,
        first: begins,
        strippedTo: 0,
        opening: [{ type: 'text', text: opening.text }],
        skills,
        summary,
        least,
        runOrd: run.ord,
        toolsOf: isSame ? window.toolsOf : window.number + 1,
        catalogIndex: run.catalogIndex,
      },
      begins,
    })
    transcript.dropCache()
    // The model knows this catalog from the new prompt, and of files only what the opening says.
    row.setSeenCatalog(run.catalogVersion, run.catalogIndex)
    files.forgetKnown()
    runs.endCompaction(run.id)
    log.append(run.id, {
      type: 'context.compacted',
      window: window.number + 1,
      before_tokens: beforeTokens,
      after_tokens: prefixTokens + estimateTokens(opening.text),
      way,
      cost_usd: usd,
      summary,
    })
  })
  await log.sync()
  await checkpoint('window.begun', thread.ctx)
}
