// What a Thread object answers over RPC. Plain data, and byte streams of Server-Sent Events.

import type { ShownRequest } from '../agent/approval.ts'
import type { FileBody } from '../agent/tool.ts'
import type { Charged, Rating, Receipt, RunStatus, StopReason } from '../agent/events.ts'
import type { Block, Message, Usage } from '../agent/message.ts'
import type { Effort } from '../agent/model.ts'
import type { Question } from '../agent/question.ts'
import type { Caller } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'
import type { SkillCall } from '../skills/view/slash.ts'
import type { ForkApi } from './fork/api.ts'

export interface RunBudget {
  readonly tokens: number
  readonly usd: number
  readonly steps: number
  readonly tool_calls: number
  readonly wall_s: number
}

/** A checked chat request, or a webhook's message. */
export interface StartInput {
  readonly threadId: string
  /** True when the caller named no thread: the object is made. False: it must exist. */
  readonly create: boolean
  readonly message: readonly Block[]
  /** The text of others in the message is fenced in our tags and harmless already, as a webhook's is; else all of it is theirs. */
  readonly fenced: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Shown to the model, fenced as data. */
  readonly context: Readonly<Record<string, string>>
  /** For the tools that declare these names; in clear on its way into the object alone. Absent: none. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Names this thread may see; null: all visible. Fixed at the thread's birth. */
  readonly allowSkills: readonly string[] | null
  /** Names or groups of tools that this thread has; null: all. Fixed at the thread's birth. */
  readonly tools: readonly string[] | null
  /** Skills that the message calls by slash or request; none for a webhook. At most CALLED_SKILLS_MAX, each once. */
  readonly calls: readonly SkillCall[]
  readonly model: string | null
  readonly effort: Effort | null
  readonly onBusy: 'reject' | 'enqueue'
  readonly onDisconnect: 'continue' | 'cancel'
  readonly budget: RunBudget
  /** Scope is credential + route + thread; `digest` is of the request's body. */
  readonly idempotency: { readonly key: string; readonly digest: string } | null
  /** Allocated before by who promised it (a webhook's 202); else the thread makes one. */
  readonly runId: string | null
  /** Digest of the build compiled into the Worker that took the request. */
  readonly build: string
  readonly requestId: string
  /** Answer with the run's events from its first one. */
  readonly follow: boolean
}

export interface Started {
  readonly thread_id: string
  readonly run_id: string
  /** False: an earlier request with the same key made this run. */
  readonly created: boolean
  readonly events: ReadableStream<Uint8Array> | null
}

/** Contract: ChatReply. */
export interface ChatReply {
  readonly thread_id: string
  readonly run_id: string
  /** It is over. */
  readonly status: Exclude<RunStatus, 'waiting'>
  readonly stop_reason: StopReason
  readonly text: string
  readonly message: Message | null
  /** What the person is asked, where `stop_reason` is `awaiting_input`; the answer is the next message. */
  readonly asked?: Question
  readonly receipt: Receipt
}

/** In place of a reply: the run waits for a person, and nobody knows for how long. */
export interface WaitingReply {
  readonly status: 'waiting'
  readonly reason: 'approval'
  readonly tool_use_ids: readonly string[]
  readonly until: string | null
}

/** A call that waits for a person, as it is listed for who may decide. */
export interface ApprovalInfo {
  readonly thread_id: string
  readonly run_id: string
  readonly tool_use_id: string
  readonly name: string
  /** With marks where something cannot be seen; null where it is long: the run's events have it. */
  readonly input: unknown
  /** Null: nothing leaves. */
  readonly request: ShownRequest | null
  readonly reason: string
  /** Of what would be done: an answer that names it is for nothing else. */
  readonly digest: string
  /** JSON pointers of what may differ in later calls that a remembered yes covers. */
  readonly free: readonly string[]
  /** Who may decide: the thread's owner or an admin, or an admin alone. */
  readonly by: 'owner' | 'admin'
  readonly requested_at: string
  readonly expires_at: string
}

interface Approve {
  readonly decision: 'approve'
  readonly note: null
  /** Identical calls of this run or thread go unasked. */
  readonly remember: 'run' | 'thread' | null
}

interface Deny {
  readonly decision: 'deny'
  /** For the model. */
  readonly note: string | null
  readonly remember: null
}

/** What a person decides, before it is said about which request. */
export type ApprovalChoice = Approve | Deny

/** `digest`: of the request that was looked at; no other one is answered by this. Null: whichever is open under this id. */
export type ApprovalAnswer =
  | (Approve & { readonly digest: string })
  | (Deny & { readonly digest: string | null })

export interface ApprovalDecided {
  readonly tool_use_id: string
  readonly decision: ApprovalAnswer['decision']
  readonly by: string
  readonly at: string
  readonly note: string | null
  readonly remember: 'run' | 'thread' | null
}

/** Contract: Thread. */
export interface ThreadInfo {
  readonly id: string
  readonly title: string
  readonly user: string | null
  readonly status: 'idle' | 'busy'
  readonly created_at: string
  readonly updated_at: string
  readonly model: string
  readonly catalog_version: number
  /** What the API said that its runs used. */
  readonly usage: Usage
  /** What all its runs were charged, answered or not: the sum of their receipts. */
  readonly charged: Charged
  readonly metadata: Readonly<Record<string, string>>
  /** Tokens that its next call to the model starts from; a guess until the first one. */
  readonly context_tokens: number
  /** The message of a person before which it begins, and the thread that has it, should that still be there. */
  readonly forked_from: { readonly thread_id: string; readonly message_id: string } | null
  /** Forks of it that belong to the same owner, newest first, BRANCHES_LISTED of them. */
  readonly branches: readonly Branch[]
}

export interface Branch {
  readonly thread_id: string
  readonly message_id: string
  readonly created_at: string
}

/** A thread that a search found, with the place in its text; null: the title alone has the words. */
export interface FoundThread extends ThreadInfo {
  readonly match: { readonly before: string; readonly hit: string; readonly after: string } | null
}

/** A file of the thread as it is listed. */
export interface FileInfo {
  /** Relative to the root of the tree: `uploads/x.csv`. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly media_type: string
  readonly origin: 'upload' | 'tool'
  readonly created_at: string
  readonly updated_at: string
  readonly href: string
}

/** A file with its bytes where they are few, else with the key that the store has them under. */
export interface FileContent extends FileInfo {
  readonly data: Uint8Array | null
  readonly key: string | null
}

/** A place in the store for bytes on their way: put them under the key, then put the file. */
export interface StagedFile {
  readonly object: number
  readonly key: string
  /** How many bytes it may have, as far as is known now. */
  readonly most: number
  /** Held until the file is put. Once nobody holds it, the bytes that no file took are removed within FILE_BROKEN_MS. */
  readonly upload: Disposable
}

export interface FilePut {
  /** In its one form (`filePath`). */
  readonly path: string
  readonly body: FileBody
  /** Sha-256 of what must be there, `*`: anything, null: nothing. Absent: whatever is there is overwritten. */
  readonly expect?: string | null
  /** A free name is found instead of overwriting what lies there. */
  readonly rename?: boolean
}

/** Contract: Page. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/** Why a run that was promised never began: its budget pays for no answer, or anything else. */
export type Unstarted = Extract<StopReason, 'budget' | 'internal'>

export interface ThreadApi extends ForkApi {
  start(caller: Caller, input: StartInput): Promise<Result<Started>>
  /**
   * The run that `input` promises exists and is failed: for whoever promised it and can never start it. Its thread is made
   * where there is none. Idempotent; a run that came to be meanwhile stays as it is.
   */
  startFailed(
    caller: Caller,
    input: StartInput & { readonly runId: string },
    why: string,
    stop: Unstarted,
  ): Promise<Result<null>>
  /** Waits for the run's end, or for it to wait for a person, at most `waitMs`; null: it is still going. */
  reply(caller: Caller, runId: string, waitMs: number): Promise<Result<ChatReply | WaitingReply | null>>
  info(caller: Caller): Promise<Result<ThreadInfo>>
  patch(
    caller: Caller,
    change: {
      readonly title?: string | undefined
      readonly metadata?: Readonly<Record<string, string>> | undefined
    },
  ): Promise<Result<ThreadInfo>>
  /** Deletes all data of the thread; a running run is stopped first. */
  remove(caller: Caller): Promise<Result<null>>
  messages(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Message>>>
  receipts(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Receipt>>>
  receipt(caller: Caller, runId: string): Promise<Result<Receipt>>
  /** Server-Sent Events after `after` (null: from the start); `runId` null: the whole thread's. */
  events(
    caller: Caller,
    runId: string | null,
    after: number | null,
  ): Promise<Result<ReadableStream<Uint8Array>>>
  cancel(caller: Caller, runId: string): Promise<Result<Receipt>>
  /** What a person thinks of a run's answer; null takes it back. Idempotent. */
  rate(caller: Caller, runId: string, rating: Pick<Rating, 'value' | 'note'> | null): Promise<Result<Receipt>>
  /**
   * A person's word on a call that waits. Idempotent for the same decision. Failures: `approval_forbidden`,
   * `approval_closed`, and `tool_changed` where a new request stands in its place.
   */
  approve(
    caller: Caller,
    runId: string,
    toolUseId: string,
    answer: ApprovalAnswer,
  ): Promise<Result<ApprovalDecided>>
  /** Makes the thread, empty, for files before its first message. Idempotent for its maker. */
  createEmpty(caller: Caller, threadId: string): Promise<Result<{ readonly thread_id: string }>>
  listFiles(
    caller: Caller,
    prefix: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<FileInfo>>>
  fileContent(caller: Caller, path: string): Promise<Result<FileContent>>
  /**
   * Room for `bytes` bytes, which go to the store before the file is put; at `path`, or null: as one more. `expect`: as of
   * that put, so that nothing is sent in vain.
   */
  stageFile(
    caller: Caller,
    bytes: number,
    path: string | null,
    expect?: string | null,
  ): Promise<Result<StagedFile>>
  /** Before the first part of what was staged is sent: `upload` is R2's id, by which it is ended should nobody end it. */
  filePartsBegun(caller: Caller, object: number, upload: string): Promise<Result<null>>
  putFiles(
    caller: Caller,
    puts: readonly FilePut[],
  ): Promise<Result<readonly (FileInfo & { readonly created: boolean })[]>>
  /** `expect`: sha-256 of what must be there, `*`: anything, null: whatever is there. */
  removeFile(caller: Caller, path: string, expect: string | null): Promise<Result<null>>
}
