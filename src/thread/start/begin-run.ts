// Stores a message in its thread as a run, and begins the run: adds the message to the transcript, pins the
// live catalog, and gives the model a notice of catalog changes. Nothing here waits.

import type { EventBody } from '../../agent/events.ts'
import { textOf, type Block } from '../../agent/message.ts'
import { skillsNotice } from '../../agent/prompt.ts'
import { threadTitle } from '../../lib/title.ts'
import type { FileRow } from '../../files/access.ts'
import type { Caller } from '../../lib/caller.ts'
import { escapeXml } from '../../lib/framework-tags.ts'
import { NOTICE_SKILLS_MAX } from './limits.ts'
import { appendAsk } from '../executor/append-ask.ts'
import { contextBlock, escapeFrameworkTags, uploadsBlock } from '../executor/message-blocks.ts'
import { DEMO_MODEL } from '../../demo/demo.ts'
import { shownInNotice, type IndexChanges } from '../../skills/view/index-changes.ts'
import type { StartInput } from '../api.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'
import { insertReply } from '../rows/replies.ts'
import { storeRequestKey } from '../rows/idempotency.ts'
import type { FileTree } from '../../files/tree.ts'
import type { SkillLoads } from '../rows/skill-loads.ts'
import { calledParts, type CalledParts } from './call-skills.ts'
import type { Prepared } from './prepare.ts'
import { rebase } from './rebase.ts'

/** The part of a run that comes from its request. */
export function requestOf(caller: Caller, input: StartInput): Pick<Run, 'ask' | 'options'> {
  const { message, context, calls, fenced, compact, model, tools, budget, effort, onDisconnect } = input
  return {
    ask: {
      message,
      context,
      calls,
      fenced,
      ...(compact ? { compact } : {}),
      ...(input.rebase ? { rebase: { model, tools } } : {}),
    },
    options: {
      key: caller.keyId,
      budget,
      effort,
      onDisconnect,
      ...(caller.tools ? { tools: caller.tools } : {}),
      ...(input.callback ? { callback: input.callback } : {}),
      ...(input.reply ? { replies: true } : {}),
      ...(caller.allowedCalls ? { allowedCalls: caller.allowedCalls } : {}),
    },
  }
}

/**
 * Adds the run to the thread: its row, first events and idempotency key, and a title if the thread has none.
 */
export function enterRun(
  { ctx, row, log, runs, ports }: Parts<'ctx' | 'row' | 'log' | 'runs', 'now'>,
  caller: Caller,
  input: StartInput,
  catalog: { readonly version: number; readonly index: string },
  runId: string,
  status: 'queued' | 'running',
): void {
  const { requestId, build } = input
  const now = ports.now()
  row.touch(now)
  const firstSeq = log.append(runId, { type: 'run.accepted', status })
  // The title is set with the first message, so that lists show it while the run is still in progress.
  if (row.data.title === '') {
    const title = threadTitle(textOf({ role: 'user', content: input.message }))
    row.setTitle(title, false)
    log.append(runId, { type: 'thread.titled', title })
  }
  runs.insert({
    id: runId,
    requestId,
    status,
    ...requestOf(caller, input),
    build,
    catalogVersion: catalog.version,
    catalogIndex: catalog.index,
    model: (input.rebase ? input.model : null) ?? row.data.model,
    acceptedAt: now,
    firstSeq,
    ...(status === 'queued' && input.onBusy === 'interrupt' ? { jumpsQueue: true } : {}),
  })
  if (input.reply) insertReply(ctx.storage.sql, runId, input.reply, now)
  storeRequestKey(ctx.storage.sql, caller, input, runId, now)
}

/**
 * A notice of catalog changes. It lists removed skills first, because even a truncated notice must list
 * the skills that the model may no longer use.
 */
function noticeBlock(changes: IndexChanges, namesInContext: ReadonlySet<string>): Block {
  let slotsLeft = NOTICE_SKILLS_MAX
  const takeSkills = <T>(all: readonly T[]): readonly T[] => {
    const listed = all.slice(0, slotsLeft)
    slotsLeft -= listed.length
    return listed
  }
  const removed = takeSkills(changes.removed)
  const changed = takeSkills(changes.changed)
  const added = takeSkills(changes.added)
  const all = changes.removed.length + changes.changed.length + changes.added.length
  return {
    type: 'text',
    text: skillsNotice({
      added: added.map(shownInNotice),
      changed: changed.map((entry) => ({
        ...shownInNotice(entry),
        isInContext: namesInContext.has(entry.name),
      })),
      removed: removed.map(escapeXml),
      more: all - removed.length - changed.length - added.length,
    }),
  }
}

/** The thread for which a message is composed: an existing one, or one that is being created. */
export interface MessageTarget {
  readonly seenIndex: string
  readonly allow: readonly string[] | null
  readonly loads: Pick<SkillLoads, 'namesInContext' | 'isCurrentVersion'>
  readonly files: Pick<FileTree, 'newUploads'>
}

export interface ComposedMessage {
  /** The message as the model gets it. */
  readonly content: readonly Block[]
  /** Null if the model already knows this catalog. */
  readonly changes: IndexChanges | null
  readonly newUploads: readonly FileRow[]
  readonly called: CalledParts
}

/** Composes the message of a run with everything that accompanies it for the model. Changes nothing. */
export function composeMessage(
  { seenIndex, allow, loads, files }: MessageTarget,
  ask: Pick<Run['ask'], 'message' | 'context' | 'fenced'>,
  prepared: Prepared,
): ComposedMessage {
  // Another run may have delivered the notice while this run was being prepared.
  const changes = seenIndex === prepared.live.index ? null : prepared.changes
  const newUploads = files.newUploads()
  const called = calledParts(loads, allow, prepared, ask.message)
  const content = [
    ...(changes ? [noticeBlock(changes, loads.namesInContext())] : []),
    ...contextBlock(ask.context),
    ...uploadsBlock(newUploads),
    ...(ask.fenced ? ask.message : escapeFrameworkTags(ask.message)),
    ...called.blocks,
  ]
  return { content, changes, newUploads, called }
}

/**
 * Begins a run. Called in the block that accepts the message if the thread is free, otherwise in a separate
 * block when the run leaves the queue. `composed` is the message for the thread's current state if it is
 * already composed.
 */
export function beginRun(
  thread: Parts<
    'row' | 'log' | 'runs' | 'loads' | 'transcript' | 'files' | 'sources' | 'approvals',
    'now' | 'newId' | 'skills' | 'liveCatalog' | 'models' | 'search'
  >,
  runId: string,
  prepared: Prepared,
  composed: ComposedMessage | null,
): void {
  const { row, log, runs, loads, transcript, files, ports } = thread
  const run = runs.get(runId)
  if (!run) return
  const now = ports.now()
  const { live } = prepared
  // Another run may have changed the thread's model while this one was queued.
  const model = run.ask.rebase?.model ?? row.data.model
  runs.start(runId, { model, catalogVersion: live.version, catalogIndex: live.index }, now)
  const started: EventBody = {
    type: 'run.started',
    model,
    build: run.build,
    catalog_version: live.version,
    demo: model === DEMO_MODEL,
  }
  // Such a run has no message. The new window tells the model about the catalog.
  if (run.ask.compact) return void log.append(runId, started)
  const rebased = run.ask.rebase ? rebase({ row, runs, transcript, ports }, run, prepared) : null
  const { seenVersion, seenIndex, allow } = row.data
  const { content, changes, newUploads, called } =
    composed ?? composeMessage({ seenIndex, allow, loads, files }, run.ask, prepared)
  const { seq: message } = appendAsk(thread, runId, { ask: run.ask, content, newUploads })
  for (const load of called.loads) loads.add(runId, message, load)
  log.append(runId, started)
  if (rebased) log.append(runId, rebased)
  if (changes)
    log.append(runId, {
      type: 'skills.changed',
      from_version: seenVersion,
      to_version: live.version,
      added: changes.added.map((entry) => entry.name),
      removed: changes.removed,
      changed: changes.changed.map((entry) => entry.name),
    })
  for (const { name, category, digest, via } of called.loads)
    log.append(runId, { type: 'skill.loaded', name, category, digest, via })
  row.setSeenCatalog(live.version, live.index)
}
