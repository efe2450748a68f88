// Continues a thread with another model or other tools: begins a window with a new system prompt and all messages of the
// one before it. If the model cannot take them, the window is summarized before the first step.

import type { EventBody } from '../../agent/events.ts'
import { imagesOf, isToolUse } from '../../agent/message.ts'
import { keepsPlan } from '../../agent/todos.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import { OWN_TRY } from '../windows/limits.ts'
import { makePrefix } from '../windows/prefix.ts'
import type { Prepared } from './prepare.ts'
import { isSameList } from './refusals.ts'

type Thread = Parts<'row' | 'runs' | 'transcript', 'skills' | 'liveCatalog' | 'models' | 'search'>
type Rebased = Extract<EventBody, { type: 'context.rebased' }>

/** Returns the event. Must be called in the block that begins the run, before its message is added. */
export function rebase(
  { row, runs, transcript, ports }: Thread,
  run: Run,
  { live, index, tools: offered }: Prepared,
): Rebased {
  const { workspace, allow, window, ...before } = row.data
  const model = run.ask.rebase?.model ?? before.model
  const chosenTools = run.ask.rebase?.tools ?? before.chosenTools
  const catalog = { workspace, build: run.build, index, catalogVersion: live.version }
  const plan = keepsPlan(before)
  const prefix = makePrefix(ports, {
    ...catalog,
    model,
    allow,
    offered,
    plan,
    mostUsed: live.used?.names,
  })
  const number = window.number + 1
  const lastSeq = transcript.lastSeq()
  row.beginWindow({
    ...prefix,
    model,
    chosenTools,
    catalogVersion: live.version,
    window: {
      ...window,
      number,
      strippedTo: lastSeq,
      runOrd: run.ord,
      toolsOf: number,
      catalogIndex: live.index,
    },
    begins: lastSeq + 1,
  })
  transcript.dropCache()
  row.setSeenCatalog(live.version, live.index)
  const takesImages = ports.models.resolve(model)?.facts.capabilities.images ?? true
  const isRefused = transcript.forModel().some(
    ({ content }) =>
      (!takesImages && imagesOf(content).length > 0) ||
      // The API refuses calls in requests without tools.
      (prefix.tools.length === 0 && content.some(isToolUse)),
  )
  if (isRefused) runs.planCompaction(run.id, { attempt: OWN_TRY, refused: false, least: false, usd: 0 })
  const isOtherModel = model !== before.model
  const areOtherTools = !isSameList(chosenTools, before.chosenTools)
  const reason = isOtherModel
    ? areOtherTools
      ? 'model_and_tools'
      : 'model'
    : areOtherTools
      ? 'tools'
      : 'request'
  return { type: 'context.rebased', window: number, reason, model }
}
