// The end of a tool call: writes its result, file changes and events in one transaction.

import { imagesOf, isFileImage, isCreatedFileImage } from '../../agent/message.ts'
import { limitResult, imageLimits, noImageSpace, toDisplayText, type ImageLimit } from '../../agent/result.ts'
import type { FileChange, TextFrame, ToolNote, ToolResult } from '../../agent/tool.ts'
import { fullPath, hrefOf } from '../../files/path.ts'
import type { FileQuotas } from '../../files/quota.ts'
import { growthOf } from '../../files/tree-access.ts'
import { redact } from '../../lib/redact.ts'
import type { Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { TOOL_PREVIEW_MAX_CHARS } from './limits.ts'
import { loadedNote } from '../../skills/view/wrap.ts'
import { appendResults } from './append-results.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { currentCalls } from '../rows/current-calls.ts'
import { releaseSpaceInBackground, spaceOwner, reserveSpace } from './file-space.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'
import { repeatRemark } from './repeats.ts'
import type { SpilledResult } from './spill.ts'

export type FinishingThread = Parts<
  | 'ctx'
  | 'row'
  | 'runs'
  | 'log'
  | 'journal'
  | 'loads'
  | 'approvals'
  | 'waits'
  | 'sources'
  | 'revealed'
  | 'steered'
  | 'transcript'
  | 'files'
  | 'atomically',
  'now' | 'models' | 'quotas' | 'store' | 'newId' | 'workspace'
>

/**
 * Writes a result with its events. With the last result of a step, also writes the message that contains all
 * results of the step. Everything is on disk before the model gets it. `mayWrite` tells whether the caller may still end
 * this call.
 */
export async function finishCall(
  thread: FinishingThread,
  mayWrite: () => boolean,
  run: Run,
  call: JournalCall,
  spilled: SpilledResult,
  dispatched: boolean,
  remark = '',
): Promise<void> {
  const { changes = [] } = spilled.result
  const quotas = changes.length > 0 ? await reserveSpaceForChanges(thread, changes) : null
  if (!mayWrite()) return
  thread.atomically(() => {
    thread.waits.remove(call)
    if (dispatched && call.effect === 'read') thread.runs.countToolCall(run.id)
    const result = quotas ? applyChanges(thread, run, spilled, quotas) : spilled.result
    writeResult(thread, run, call, result, remark)
    const { untrusted = [] } = spilled.result
    thread.sources.add(untrusted, call.message)
    thread.revealed.add(call.message, result.reveals ?? [])
    thread.approvals.endRememberedApprovals(untrusted)
    if (currentCalls(thread, run.id).every(({ state }) => state === 'finished')) appendResults(thread, run.id)
  })
  if (changes.some(({ body }) => body === null)) releaseSpaceInBackground(thread)
  // A call with side effects must be recorded as finished before anything else happens. A `read` call may be
  // repeated; its row is on disk before the next request to the model, because the platform holds requests back
  // until then.
  if (call.effect === 'read') thread.log.syncInBackground()
  else await thread.log.sync()
  await checkpoint('tool.finished', thread.ctx)
}

/** Returns the thread's quotas once the workspace has granted space for these changes. */
async function reserveSpaceForChanges(
  thread: FinishingThread,
  changes: readonly FileChange[],
): Promise<Result<FileQuotas>> {
  const quotas = await thread.ports.quotas(thread.row.data.workspace)
  if (!quotas.ok) return quotas
  const reserved = await reserveSpace(spaceOwner(thread), ...growthOf(thread.files, changes), true)
  return reserved.ok ? quotas : reserved
}

function writeResult(
  thread: FinishingThread,
  run: Run,
  call: JournalCall,
  spilled: ToolResult,
  remark: string,
): void {
  const finishedAt = thread.ports.now()
  const result = replaceLostImages(thread, withoutRepeatedSkills(thread, run, call, spilled))
  // A skill reaches the model as published: its examples may contain fields that look like secrets.
  const isVerbatim = call.effect === 'read' && !result.isError
  const content = limitResult(
    result.content,
    result.frame ?? NO_FRAME,
    repeatRemark(thread, run.id, call) + remark,
    typeof result.content === 'string' ? [] : imageSpaceFor(thread, run, result),
    isVerbatim ? undefined : redact,
  )
  const { startedAt } = thread.journal.current(call)
  const storedNotes = (result.notes ?? []).filter(({ type }) => type !== 'artifact')
  thread.journal.finish(
    call,
    { isError: result.isError, content, ...(storedNotes.length > 0 ? { notes: storedNotes } : {}) },
    finishedAt,
  )
  if (typeof content !== 'string')
    for (const block of content) if (isFileImage(block)) thread.files.pin(block.source.object)
  for (const note of result.notes ?? []) appendNoteEvent(thread, run, call, note)
  thread.log.append(run.id, {
    type: 'tool.completed',
    tool_use_id: call.toolUseId,
    name: call.name,
    is_error: result.isError,
    preview: redact(cutText(toDisplayText(content), TOOL_PREVIEW_MAX_CHARS)),
    duration_ms: Math.max(0, finishedAt - (startedAt ?? finishedAt)),
    ...(result.code && { code: result.code }),
  })
}

/** Replaces an image whose file disappeared during the call, because it can no longer be shown to anybody. */
function replaceLostImages(thread: FinishingThread, result: ToolResult): ToolResult {
  const { content } = result
  if (typeof content === 'string') return result
  const lostImage = content.find(
    (block) => isCreatedFileImage(block) && !thread.files.locate(block.source.object),
  )
  if (!lostImage) return result
  return {
    content: 'The image was changed or removed while it was being read. View it again.',
    isError: true,
  }
}

/**
 * Writes all of the file changes or none. If they cannot be written, the error replaces the call's result, and the
 * result's other effects are dropped.
 */
function applyChanges(
  thread: FinishingThread,
  run: Run,
  { result, fallback }: SpilledResult,
  quotas: Result<FileQuotas>,
): ToolResult {
  const { changes = [], ...withoutChanges } = result
  if (changes.length === 0) return withoutChanges
  const applied = quotas.ok ? thread.files.apply(changes, quotas.value, 'tool', thread.ports.now()) : quotas
  if (!applied.ok)
    return fallback
      ? applyChanges(thread, run, { result: fallback, fallback: null }, quotas)
      : { content: `Not written: ${applied.error.detail}`, isError: true }
  for (const { path, bytes } of applied.value)
    thread.log.append(run.id, { type: 'file.written', path: fullPath(path), bytes })
  return withoutChanges
}

function appendNoteEvent(thread: FinishingThread, run: Run, call: JournalCall, note: ToolNote): void {
  switch (note.type) {
    case 'skill': {
      const { name, category, digest, via } = note
      thread.log.append(run.id, { type: 'skill.loaded', name, category, digest, via })
      return
    }
    case 'artifact': {
      const { path, media_type } = note
      // The model wrote the title.
      const title = redact(note.title)
      const href = hrefOf(thread.row.data.id, path)
      thread.log.append(run.id, { type: 'artifact.presented', path: fullPath(path), title, media_type, href })
      return
    }
    case 'question': {
      const { kind, question, context, options } = note
      thread.runs.markAwaitsInput(run.id)
      const redacted = {
        question: redact(question),
        context: context && redact(context),
        options: options.map((option) => redact(option)),
      }
      thread.log.append(run.id, { type: 'input.requested', id: call.toolUseId, kind, ...redacted })
      return
    }
    case 'todos':
      thread.row.setTodos(note.items)
      thread.log.append(run.id, { type: 'todo.updated', items: note.items })
      return
    // These have no event. What they tell about the model's knowledge of files is recorded by recordKnownFiles().
    case 'file':
    case 'links':
    case 'resource':
      return
  }
}

/**
 * Records the skill loads of a call. Instructions that the model already has are replaced by a note. If
 * parallel calls load the same skill, the first one to be written delivers the instructions.
 */
function withoutRepeatedSkills(
  thread: FinishingThread,
  run: Run,
  call: JournalCall,
  result: ToolResult,
): ToolResult {
  let finalResult = result
  for (const note of result.notes ?? []) {
    if (note.type !== 'skill') continue
    const { name, category, digest, via } = note
    const isCurrentVersion = note.body && thread.loads.isCurrentVersion({ name, category, digest })
    thread.loads.add(run.id, call.message, {
      name,
      category,
      digest,
      via,
      body: note.body && !isCurrentVersion,
    })
    if (isCurrentVersion)
      finalResult = { content: loadedNote(note), isError: result.isError, notes: result.notes ?? [] }
  }
  return finalResult
}

const NO_FRAME: TextFrame = { before: '', after: '' }

/**
 * The limits on images in this result, after subtracting the images that the conversation already contains. Images of
 * parallel calls whose results were written earlier are subtracted as well.
 */
function imageSpaceFor(thread: FinishingThread, run: Run, { isError }: ToolResult): readonly ImageLimit[] {
  if (isError) return noImageSpace('an error result may contain only text')
  if (!thread.ports.models.resolve(run.model)?.facts.capabilities.images)
    return noImageSpace('this model does not accept images')
  const stepImages = currentCalls(thread, run.id).flatMap(({ content }) =>
    typeof content === 'string' ? [] : imagesOf(content),
  )
  return imageLimits(
    stepImages,
    thread.transcript.forModel().flatMap(({ content }) => imagesOf(content)),
  )
}
