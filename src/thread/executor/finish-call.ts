// The end of a tool call: writes its result, file changes and events in one transaction.

import { imagesOf, isFileImage, isCreatedFileImage } from '../../agent/message.ts'
import {
  boundedResult,
  imageLimits,
  noImageSpace,
  toDisplayText,
  type ImageLimit,
} from '../../agent/result.ts'
import type { FileChange, TextFrame, ToolNote, ToolResult } from '../../agent/tool.ts'
import { fullPath, hrefOf } from '../../files/path.ts'
import type { FileQuotas } from '../../files/quota.ts'
import { growthOf } from '../../files/tree-access.ts'
import { redact } from '../../lib/redact.ts'
import type { Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { TOOL_PREVIEW_CHARS } from './limits.ts'
import { loadedNote } from '../../skills/view/wrap.ts'
import { appendResults } from './append-results.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { releaseSpaceInBackground, spaceOwner, reserveSpace } from './file-space.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'
import type { Execution } from './execution.ts'
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
  | 'sources'
  | 'transcript'
  | 'files'
  | 'atomically',
  'now' | 'models' | 'quotas' | 'store' | 'newId' | 'workspace'
>

/**
 * Writes a result with its events. With the last result of a step, also writes the message of all its
 * results. It is all on disk before the model gets it.
 */
export async function finishCall(
  thread: FinishingThread,
  execution: Execution,
  run: Run,
  call: JournalCall,
  spilled: SpilledResult,
  dispatched: boolean,
  remark = '',
): Promise<void> {
  const { changes = [] } = spilled.result
  const quotas = changes.length > 0 ? await quotasFor(thread, changes) : null
  if (!execution.holdsRun()) return
  thread.atomically(() => {
    if (dispatched && call.effect === 'read') thread.runs.countToolCall(run.id)
    const result = quotas ? withChanges(thread, run, spilled, quotas) : spilled.result
    writeResult(thread, run, call, result, remark)
    const { untrusted = [] } = spilled.result
    thread.sources.add(untrusted, call.message)
    thread.approvals.endRememberedApprovals(untrusted)
    const requestMessage = thread.transcript.last(run.id)
    const calls = requestMessage ? thread.journal.calls(run.id, requestMessage) : []
    if (calls.every(({ state }) => state === 'finished')) appendResults(thread, run.id)
  })
  if (changes.some(({ body }) => body === null)) releaseSpaceInBackground(thread)
  // A call with side effects must be recorded as finished before anything else happens. A `read` call may be
  // repeated, and the platform sends no request (to the model) before its row is on disk.
  if (call.effect === 'read') thread.log.syncInBackground()
  else await thread.log.sync()
  await checkpoint('tool.finished', thread.ctx)
}

/** Returns the thread's quotas once the workspace has granted space for these changes. */
async function quotasFor(
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
  const at = thread.ports.now()
  const result = withoutLostImages(thread, withoutRepeatedSkills(thread, run, call, spilled))
  // A skill reaches the model as published: its examples may contain fields that look like secrets.
  const verbatim = call.effect === 'read' && !result.isError
  const content = boundedResult(
    result.content,
    result.frame ?? NO_FRAME,
    repeatRemark(thread, run.id, call) + remark,
    typeof result.content === 'string' ? [] : imageSpaceFor(thread, run, result),
    verbatim ? undefined : redact,
  )
  const { startedAt } = thread.journal.current(call)
  const remaining = (result.notes ?? []).filter(({ type }) => type !== 'artifact')
  thread.journal.finish(
    call,
    { isError: result.isError, content, ...(remaining.length > 0 ? { notes: remaining } : {}) },
    at,
  )
  if (typeof content !== 'string')
    for (const block of content) if (isFileImage(block)) thread.files.pin(block.source.object)
  for (const note of result.notes ?? []) appendNoteEvent(thread, run, call, note)
  thread.log.append(run.id, {
    type: 'tool.completed',
    tool_use_id: call.toolUseId,
    name: call.name,
    is_error: result.isError,
    preview: redact(cutText(toDisplayText(content), TOOL_PREVIEW_CHARS)),
    duration_ms: Math.max(0, at - (startedAt ?? at)),
    ...(result.code && { code: result.code }),
  })
}

/** Replaces an image whose file disappeared during the call, because it can no longer be shown to anybody. */
function withoutLostImages(thread: FinishingThread, result: ToolResult): ToolResult {
  const { content } = result
  if (typeof content === 'string') return result
  const gone = content.find((block) => isCreatedFileImage(block) && !thread.files.locate(block.source.object))
  if (!gone) return result
  return {
    content: 'The image was changed or removed while it was being read. View it again.',
    isError: true,
  }
}

/**
 * Writes all of the file changes or none. If they fail, the call's result is that error, and its other
 * effects are dropped.
 */
function withChanges(
  thread: FinishingThread,
  run: Run,
  { result, otherwise }: SpilledResult,
  quotas: Result<FileQuotas>,
): ToolResult {
  const { changes = [], ...rest } = result
  if (changes.length === 0) return rest
  const written = quotas.ok ? thread.files.apply(changes, quotas.value, 'tool', thread.ports.now()) : quotas
  if (!written.ok)
    return otherwise
      ? withChanges(thread, run, { result: otherwise, otherwise: null }, quotas)
      : { content: `Not written: ${written.error.detail}`, isError: true }
  for (const { path, bytes } of written.value)
    thread.log.append(run.id, { type: 'file.written', path: fullPath(path), bytes })
  return rest
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
      thread.runs.awaitsInput(run.id)
      const shown = {
        question: redact(question),
        context: context && redact(context),
        options: options.map((option) => redact(option)),
      }
      thread.log.append(run.id, { type: 'input.requested', id: call.toolUseId, kind, ...shown })
      return
    }
    // The model learns these when it gets the result: see learned.ts.
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
  let remaining = result
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
      remaining = { content: loadedNote(note), isError: result.isError, notes: result.notes ?? [] }
  }
  return remaining
}

const NO_FRAME: TextFrame = { before: '', after: '' }

/**
 * How much space is left for images in this result. Parallel calls are written one at a time, so this
 * includes the images of the ones written before.
 */
function imageSpaceFor(thread: FinishingThread, run: Run, { isError }: ToolResult): readonly ImageLimit[] {
  if (isError) return noImageSpace('an error has a text and no images')
  if (!thread.ports.models.resolve(run.model)?.facts.capabilities.images)
    return noImageSpace('this model does not accept images')
  const requestMessage = thread.transcript.last(run.id)
  const calls = requestMessage ? thread.journal.calls(run.id, requestMessage) : []
  const step = calls.flatMap(({ content }) => (typeof content === 'string' ? [] : imagesOf(content)))
  return imageLimits(
    step,
    thread.transcript.forModel().flatMap(({ content }) => imagesOf(content)),
  )
}
