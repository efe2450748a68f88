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

/** A validated chat request, or a webhook's message. */
export interface StartInput {
  readonly threadId: string
  /** True when the caller named no thread: the object creates it. False: it must exist. */
  readonly create: boolean
  readonly message: readonly Block[]
  /**
   * Untrusted text in the message is already fenced in our tags and escaped, as for a webhook. False: a person wrote
   * all of it.
   */
  readonly fenced: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Shown to the model, fenced as data. */
  readonly context: Readonly<Record<string, string>>
  /** For the tools that declare these names; unencrypted only on the way into the object. Absent: none. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Names that this thread may see; null: all visible. Fixed when the thread is created. */
  readonly allowSkills: readonly string[] | null
  /** Names or groups of tools that this thread has; null: all. Fixed when the thread is created. */
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
  /** An id that was promised in advance (in a webhook's 202); otherwise the thread assigns one. */
  readonly runId: string | null
  /** Digest of the build in the Worker that received the request. */
  readonly build: string
  readonly requestId: string
  /** Answer with the run's events, from the first one. */
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
  /** The run has ended. */
  readonly status: Exclude<RunStatus, 'waiting'>
  readonly stop_reason: StopReason
  readonly text: string
  readonly message: Message | null
  /** The question to the person, where `stop_reason` is `awaiting_input`; the next message is the answer. */
  readonly question?: Question
  readonly receipt: Receipt
}

/** Instead of a reply: the run waits for a person for an unknown time. */
export interface WaitingReply {
  readonly status: 'waiting'
  readonly reason: 'approval'
  readonly tool_use_ids: readonly string[]
  readonly until: string | null
}

/** A call that waits for an approval, as listed for those who may decide. */
export interface ApprovalInfo {
  readonly thread_id: string
  readonly run_id: string
  readonly tool_use_id: string
  readonly name: string
  /** Invisible characters are marked; null if it is long: the run's events have it. */
  readonly input: unknown
  /** Null if nothing is sent. */
  readonly request: ShownRequest | null
  readonly reason: string
  /** Of the request: an answer with this digest counts for no other request. */
  readonly digest: string
  /** JSON pointers of fields that may differ in later calls that a remembered approval covers. */
  readonly free: readonly string[]
  /** Who may decide: the thread's owner or an admin, or only an admin. */
  readonly by: 'owner' | 'admin'
  readonly requested_at: string
  readonly expires_at: string
}

interface Approve {
  readonly decision: 'approve'
  readonly note: null
  /** Covers identical calls of this run or thread without another request. */
  readonly remember: 'run' | 'thread' | null
}

interface Deny {
  readonly decision: 'deny'
  /** For the model. */
  readonly note: string | null
  readonly remember: null
}

/** A person's decision, without the request that it is for. */
export type ApprovalChoice = Approve | Deny

/** `digest`: of the reviewed request; the answer counts for no other. Null: for the open request with this id. */
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
  /** The usage that the API reported for its runs. */
  readonly usage: Usage
  /** What all its runs were charged, answered or not: the sum of their receipts. */
  readonly charged: Charged
  readonly metadata: Readonly<Record<string, string>>
  /** Tokens at the start of its next model call; an estimate until the first one. */
  readonly context_tokens: number
  /** The source thread and the person's message before which this one begins; the source may have been deleted. */
  readonly forked_from: { readonly thread_id: string; readonly message_id: string } | null
  /** Forks of it that belong to the same owner, newest first, at most BRANCHES_LISTED. */
  readonly branches: readonly Branch[]
}

export interface Branch {
  readonly thread_id: string
  readonly message_id: string
  readonly created_at: string
}

/** A thread that a search found, with the match in its text; null if only the title matches. */
export interface FoundThread extends ThreadInfo {
  readonly match: { readonly before: string; readonly hit: string; readonly after: string } | null
}

/** A file of the thread, as listed. */
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

/** A file with its bytes if it is small, otherwise with its key in the store. */
export interface FileContent extends FileInfo {
  readonly data: Uint8Array | null
  readonly key: string | null
}

/** An object in the store for an upload: write the bytes under the key, then put the file. */
export interface StagedFile {
  readonly object: number
  readonly key: string
  /** The maximum number of bytes that it may have, as far as is known now. */
  readonly most: number
  /** Held until the file is put. Once released, unused bytes are deleted within FILE_BROKEN_MS. */
  readonly upload: Disposable
}

export interface FilePut {
  /** In canonical form (`filePath`). */
  readonly path: string
  readonly body: FileBody
  /** Sha-256 of the current file, `*`: any file, null: no file. Absent: any state is overwritten. */
  readonly expect?: string | null
  /** Picks a free name instead of overwriting a file. */
  readonly rename?: boolean
}

/** Contract: Page. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/** Why a promised run never began: its budget does not cover an answer, or any other reason. */
export type Unstarted = Extract<StopReason, 'budget' | 'internal'>

export interface ThreadApi extends ForkApi {
  start(caller: Caller, input: StartInput): Promise<Result<Started>>
  /**
   * Stores the promised run of `input` as failed, when it can never start. Creates a missing thread. Idempotent; a run
   * that exists already stays as it is.
   */
  startFailed(
    caller: Caller,
    input: StartInput & { readonly runId: string },
    why: string,
    stop: Unstarted,
  ): Promise<Result<null>>
  /** Waits for the run to end, or to wait for a person, at most `waitMs`; null if it is still in progress. */
  reply(caller: Caller, runId: string, waitMs: number): Promise<Result<ChatReply | WaitingReply | null>>
  info(caller: Caller): Promise<Result<ThreadInfo>>
  patch(
    caller: Caller,
    change: {
      readonly title?: string | undefined
      readonly metadata?: Readonly<Record<string, string>> | undefined
    },
  ): Promise<Result<ThreadInfo>>
  /** Deletes all data of the thread; an active run is stopped first. */
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
  /** A person's rating of a run's answer; null removes it. Idempotent. */
  rate(caller: Caller, runId: string, rating: Pick<Rating, 'value' | 'note'> | null): Promise<Result<Receipt>>
  /**
   * A person's decision on a waiting call. Idempotent for the same decision. Failures: `approval_forbidden`,
   * `approval_closed`, and `tool_changed` if a new request replaced this one.
   */
  approve(
    caller: Caller,
    runId: string,
    toolUseId: string,
    answer: ApprovalAnswer,
  ): Promise<Result<ApprovalDecided>>
  /** Creates an empty thread, for files before its first message. Idempotent for its creator. */
  createEmpty(caller: Caller, threadId: string): Promise<Result<{ readonly thread_id: string }>>
  listFiles(
    caller: Caller,
    prefix: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<FileInfo>>>
  fileContent(caller: Caller, path: string): Promise<Result<FileContent>>
  /**
   * Reserves space for `bytes` bytes, which go to the store before the file is put; at `path`, or null: as a new file.
   * `expect`: as in the later put, so that nothing is sent in vain.
   */
  stageFile(
    caller: Caller,
    bytes: number,
    path: string | null,
    expect?: string | null,
  ): Promise<Result<StagedFile>>
  /** Called before the first part of a staged file is sent. `upload` is R2's id, used to abort an abandoned upload. */
  filePartsBegun(caller: Caller, object: number, upload: string): Promise<Result<null>>
  putFiles(
    caller: Caller,
    puts: readonly FilePut[],
  ): Promise<Result<readonly (FileInfo & { readonly created: boolean })[]>>
  /** `expect`: sha-256 of the current file, `*`: any file, null: any state. */
  removeFile(caller: Caller, path: string, expect: string | null): Promise<Result<null>>
}
