// A run begins: its message joins the transcript, the catalog that is live is pinned, the model is told what changed.

import { fencedContext, skillsNotice } from '../../agent/prompt.ts'
import type { Block } from '../../agent/message.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { defuseEntry, defuseTexts, escapeXml } from '../../lib/framework-tags.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { NOTICE_SKILLS_MAX } from '../../limits.ts'
import { DEMO_MODEL } from '../../model/demo.ts'
import { changesBetween, shownInNotice, type IndexChanges } from '../../skills/view/index-changes.ts'
import type { RankedCatalog, SkillIndex } from '../../skills/skill.ts'
import type { SkillCall } from '../../skills/view/slash.ts'
import { rowsOf } from '../../tools/registry.ts'
import { calledParts, callSkills, type Called } from './call-skills.ts'
import type { Core, Outside } from '../core.ts'
import type { ThreadData } from '../rows/thread-row.ts'

/** What has to be known before a run can begin; everything after is one synchronous block. */
export interface Prepared {
  /** With the ranking where a thread is born. */
  readonly live: RankedCatalog
  readonly index: SkillIndex
  /** What a thread that is born now may be born with. */
  readonly tools: readonly ToolRow[]
  readonly called: readonly Called[]
  /** Null: the model knows this catalog, or none of what it may see changed. */
  readonly changes: IndexChanges | null
}

/**
 * Asks what is live: one hop to the catalog, and the index from the isolate's cache when it is warm. Reads the skills
 * that the message calls; whether one that cannot be had speaks against the run is the caller's to say.
 */
export async function prepare(
  out: Outside,
  workspace: string,
  build: string,
  thread: ThreadData | null,
  message: { readonly allow: readonly string[] | null; readonly calls: readonly SkillCall[] },
): Promise<Result<Prepared>> {
  const live = await out.liveCatalog(workspace, build, thread === null)
  if (!live.ok) return live
  const index = await out.index(workspace, live.value.index)
  if (!index.ok) return err(index.error)
  const tools = thread ? [] : await rowsOf(out.tools())
  const pinned = { live: live.value, index: index.value, tools }
  const allow = thread ? thread.allow : message.allow
  const called = await callSkills(out, workspace, pinned, allow, message.calls)
  if (!thread || thread.seenIndex === live.value.index) return ok({ ...pinned, called, changes: null })
  const seen = await out.index(workspace, thread.seenIndex)
  if (!seen.ok) return err(seen.error)
  const changes = changesBetween(seen.value, index.value, { allow, invoked: [] })
  const nothing = changes.added.length + changes.changed.length + changes.removed.length === 0
  return ok({ ...pinned, called, changes: nothing ? null : changes })
}

/** What went comes first: a notice that is cut must not leave the model with what it may not use. */
function noticeBlock(changes: IndexChanges, held: ReadonlySet<string>): Block {
  let left = NOTICE_SKILLS_MAX
  const some = <T>(all: readonly T[]): readonly T[] => {
    const kept = all.slice(0, left)
    left -= kept.length
    return kept
  }
  const removed = some(changes.removed)
  const changed = some(changes.changed)
  const added = some(changes.added)
  const all = changes.removed.length + changes.changed.length + changes.added.length
  return {
    type: 'text',
    text: skillsNotice({
      added: added.map(shownInNotice),
      changed: changed.map((entry) => ({ ...shownInNotice(entry), held: held.has(entry.name) })),
      removed: removed.map(escapeXml),
      more: all - removed.length - changed.length - added.length,
    }),
  }
}

function contextBlock(context: Readonly<Record<string, string>>): Block[] {
  const entries = Object.entries(context).map(([key, value]) => [escapeXml(key), defuseEntry(value)] as const)
  return entries.length === 0 ? [] : [{ type: 'text', text: fencedContext(entries) }]
}

/** What a person wrote, as the model gets it; the very same list where there is nothing of ours in it. */
function harmless(message: readonly Block[]): readonly Block[] {
  const written = message.map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
  const texts = defuseTexts(written)
  if (texts.every((text, at) => text === written[at])) return message
  return message.map((block, at) => (block.type === 'text' ? { ...block, text: texts[at] } : block))
}

/** In one block with the acceptance when the thread was free; in one of its own when the run had to wait. */
export function begin(core: Core, runId: string, prepared: Prepared): void {
  const run = core.runs.get(runId)
  if (!run) return
  const at = core.out.now()
  const { live } = prepared
  const { seenVersion, seenIndex } = core.row.data
  // Another run may have told the model while this one was prepared.
  const changes = seenIndex === live.index ? null : prepared.changes
  core.runs.started(runId, live.version, live.index, at)
  const added = [
    ...(changes ? [noticeBlock(changes, core.loads.held())] : []),
    ...contextBlock(run.ask.context),
  ]
  const called = calledParts(core, prepared.index, run.ask.message, prepared.called)
  const written = run.ask.message
  const message = run.ask.fenced ? written : harmless(written)
  const asked = core.transcript.append({
    id: core.out.newId('msg'),
    runId,
    role: 'user',
    content: [...added, ...message, ...called.blocks],
    ...(added.length + called.blocks.length > 0 || message !== written ? { shown: written } : {}),
    at,
  })
  for (const load of called.loads) core.loads.add(runId, asked, load)
  core.log.append(runId, {
    type: 'run.started',
    model: run.model,
    build: run.build,
    catalog_version: live.version,
    demo: run.model === DEMO_MODEL,
  })
  if (changes)
    core.log.append(runId, {
      type: 'skills.changed',
      from_version: seenVersion,
      to_version: live.version,
      added: changes.added.map((entry) => entry.name),
      removed: changes.removed,
      changed: changes.changed.map((entry) => entry.name),
    })
  for (const { name, category, digest, via } of called.loads)
    core.log.append(runId, { type: 'skill.loaded', name, category, digest, via })
  core.row.saw(live.version, live.index)
}
