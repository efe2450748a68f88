// The RPC interface of a Thread object: plain data, and byte streams of Server-Sent Events.

import type { Charged, Rating, Receipt, RunStatus, RunStopReason } from '../agent/events.ts'
import type { Block, Message, Usage } from '../agent/message.ts'
import type { Effort } from '../agent/model.ts'
import type { Question } from '../agent/question.ts'
import type { TodoItem } from '../agent/todos.ts'
import type { WaitDetails } from '../agent/wait.ts'
import type { BackupApi } from '../backup/api.ts'
import type { Caller } from '../lib/caller.ts'
import type { Result } from '../lib/result.ts'
import type { SkillCall } from '../skills/view/slash.ts'
import type { RunReports } from './run-reports.ts'
import type { ApprovalAnswer, ApprovalDecided } from './approvals/api.ts'
import type { FilePut, StagedFile } from './files-api.ts'
import type { ForkApi } from './fork/api.ts'

export interface RunBudget {
  readonly tokens: number
  readonly usd: number
  readonly steps: number
  readonly tool_calls: number
  readonly wall_s: number
  /** How often the run may resume after a crash. */
  readonly recoveries: number
}

/** A validated chat request, or a webhook's message. */
export interface StartInput extends RunReports {
  readonly threadId: string
  /** True if the caller named no thread, so the object creates it; false if the thread must exist. */
  readonly create: boolean
  readonly message: readonly Block[]
  /** True if all untrusted text in the message is fenced in our tags (webhooks); false if a person wrote all of it. */
  readonly fenced: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Additional data for the model, fenced as untrusted. */
  readonly context: Readonly<Record<string, string>>
  /**
   * Set if the run only continues the thread in a new window; it then has no message. `about` says what the person
   * wants the summary to keep.
   */
  readonly compact?: { readonly about: string | null }
  /** Whether an existing thread continues in a new window, with `model` and `tools` if they are set. */
  readonly rebase?: boolean
  /** Secrets for the tools that declare these names. They are encrypted as soon as they arrive in the object. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The skills that this thread may see, or null for all visible ones. Fixed when the thread is created. */
  readonly allowSkills: readonly string[] | null
  /** The tools or groups of tools that this thread has, or null for all. Fixed when the thread is created. */
  readonly tools: readonly string[] | null
  /** Whether the model keeps a plan in this thread. Fixed when the thread is created; absent if the request does not say. */
  readonly plan?: boolean
  /**
   * Skills that the message requests, or calls with a slash command. Empty for a webhook. No duplicates, at
   * most CALLED_SKILLS_MAX.
   */
  readonly calls: readonly SkillCall[]
  readonly model: string | null
  readonly effort: Effort | null
  readonly onBusy: 'reject' | 'enqueue' | 'interrupt' | 'steer'
  readonly onDisconnect: 'continue' | 'cancel'
  readonly budget: RunBudget
  /** `key` is unique per credential, route and thread. `digest` is the digest of the request body. */
  readonly idempotency: { readonly key: string; readonly digest: string } | null
  /** The run's ID if it was promised in advance (in a webhook's 202 response), or null if the thread assigns it. */
  readonly runId: string | null
  /** Digest of the build that runs in the Worker that received the request. */
  readonly build: string
  readonly requestId: string
  /** Whether to return the run's events, starting with the first. */
  readonly follow: boolean
}

export interface StartedRun {
  readonly thread_id: string
  readonly run_id: string
  /** False if an earlier request with the same key created this run. */
  readonly created: boolean
  readonly events: ReadableStream<Uint8Array> | null
}

/** Contract: ChatReply. */
export interface ChatReply {
  readonly thread_id: string
  readonly run_id: string
  /** The run's final status. */
  readonly status: Exclude<RunStatus, 'waiting'>
  readonly stop_reason: RunStopReason
  readonly text: string
  readonly message: Message | null
  /** The question to the person if `stop_reason` is `awaiting_input`; the next message is the answer. */
  readonly question?: Question
  readonly receipt: Receipt
}

/** Returned instead of a reply if the run waits for a person or a server, which may take any length of time. */
export interface WaitingReply extends WaitDetails {
  readonly status: 'waiting'
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
  /** The usage that the model API reported for the thread's runs. */
  readonly usage: Usage
  /** What the thread's runs were charged: the sum of their receipts, including runs without an answer. */
  readonly charged: Charged
  readonly metadata: Readonly<Record<string, string>>
  /** Tokens at the start of the thread's next model call; an estimate until its first call. */
  readonly context_tokens: number
  /**
   * The thread from which this one descends by forks of one owner; its own ID if it was not forked from a
   * thread of its owner. That thread may have been deleted since.
   */
  readonly root: string
  /**
   * The source thread, the person's message before which the fork was made, and the number of messages before
   * it, which were copied. The source may have been deleted since.
   */
  readonly forked_from: {
    readonly thread_id: string
    readonly message_id: string
    readonly messages: number
  } | null
  /** Forks of the thread that belong to the same owner, newest first, at most BRANCHES_LISTED_MAX. */
  readonly branches: readonly Branch[]
}

/** A thread that was requested by its ID, with the fields that lists omit. */
export interface ThreadDetails extends ThreadInfo {
  /** The items of the thread's plan; null if the thread keeps none. */
  readonly plan: readonly TodoItem[] | null
  /** The number of the thread's newest window. */
  readonly window: number
}

export interface Branch {
  readonly thread_id: string
  readonly message_id: string
  readonly created_at: string
}

/** All listed threads of one root, represented by the newest one. */
export interface ThreadTree extends ThreadInfo {
  readonly tree: {
    /** The title of the root, or of the newest thread if the root was deleted. */
    readonly title: string
    readonly count: number
    /** The newest threads first, at most TREE_THREADS_LISTED_MAX. */
    readonly threads: readonly { readonly thread_id: string; readonly status: ThreadInfo['status'] }[]
  }
}

/** A thread found by a search, with the matching text; `match` is null if only the title matches. */
export interface FoundThread extends ThreadInfo {
  readonly match: { readonly before: string; readonly hit: string; readonly after: string } | null
}

/** A file of the thread, as shown in listings. */
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

/** A file with its bytes if it is small, or with its key in the store if it is large. */
export interface FileContent extends FileInfo {
  readonly data: Uint8Array | null
  readonly key: string | null
}

/** `approvals`: with their decisions; `requests`: what requests contained in addition to their messages. */
export type ExportedList = 'approvals' | 'requests'

/** Contract: Page. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/**
 * Why a promised run could not start: its budget does not cover a response, the cap of its thread is reached, or there was an
 * internal error.
 */
export type StartFailureReason = Extract<RunStopReason, 'budget' | 'quota_exceeded' | 'internal'>

export interface ThreadApi extends ForkApi, BackupApi {
  start(caller: Caller, input: StartInput): Promise<Result<StartedRun>>
  /**
   * Stores the promised run of `input` as failed if it can never start. Creates the thread if it does not
   * exist. Idempotent: an existing run is not changed.
   */
  startFailed(
    caller: Caller,
    input: StartInput & { readonly runId: string },
    why: string,
    stop: StartFailureReason,
  ): Promise<Result<null>>
  /**
   * Waits at most `waitMs` until the run ends or waits for a person or a server. Returns null if it is still in progress.
   */
  reply(caller: Caller, runId: string, waitMs: number): Promise<Result<ChatReply | WaitingReply | null>>
  info(caller: Caller): Promise<Result<ThreadDetails>>
  patch(
    caller: Caller,
    change: {
      readonly title?: string | undefined
      readonly metadata?: Readonly<Record<string, string>> | undefined
    },
  ): Promise<Result<ThreadDetails>>
  /** Deletes all data of the thread; an active run is stopped first. */
  remove(caller: Caller): Promise<Result<null>>
  /**
   * Deletes the thread if nothing was written to it since `before` (epoch milliseconds) and none of its runs is open. Returns whether
   * it was deleted.
   */
  removeUnused(before: number): Promise<Result<boolean>>
  messages(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Message>>>
  receipts(caller: Caller, cursor: string | null, limit: number): Promise<Result<Page<Receipt>>>
  receipt(caller: Caller, runId: string): Promise<Result<Receipt>>
  /** Returns a page of what only exports contain. */
  exportPage(
    caller: Caller,
    list: ExportedList,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<object>>>
  /**
   * Server-Sent Events after number `after`, or from the start if it is null. If `runId` is null, the events
   * of all runs.
   */
  events(
    caller: Caller,
    runId: string | null,
    after: number | null,
  ): Promise<Result<ReadableStream<Uint8Array>>>
  cancel(caller: Caller, runId: string): Promise<Result<Receipt>>
  /** A person's rating of a run's answer; null removes it. Idempotent. */
  rate(caller: Caller, runId: string, rating: Pick<Rating, 'value' | 'note'> | null): Promise<Result<Receipt>>
  /** Sends the run's reply again, which failed or whose outcome is unknown. */
  repeatReply(caller: Caller, runId: string): Promise<Result<Receipt>>
  /**
   * Records a person's decision on a waiting call. Idempotent for the same decision. Fails with
   * `approval_forbidden`, `approval_closed`, or `tool_changed` if a new request replaced this one.
   */
  approve(
    caller: Caller,
    runId: string,
    toolUseId: string,
    answer: ApprovalAnswer,
  ): Promise<Result<ApprovalDecided>>
  /**
   * Creates an empty thread for files that are uploaded before its first message. Idempotent for its creator.
   */
  createEmpty(caller: Caller, threadId: string): Promise<Result<{ readonly thread_id: string }>>
  listFiles(
    caller: Caller,
    prefix: string,
    cursor: string | null,
    limit: number,
  ): Promise<Result<Page<FileInfo>>>
  fileContent(caller: Caller, path: string): Promise<Result<FileContent>>
  /**
   * Reserves space for `bytes` bytes, which are sent to the store before the file is put. `path` is null for
   * a new file. `expect` has the value that the put will have, so that a conflict is found before anything is
   * sent.
   */
  stageFile(
    caller: Caller,
    bytes: number,
    path: string | null,
    expect?: string | null,
  ): Promise<Result<StagedFile>>
  /**
   * Must be called before the first part of a staged file is sent. `upload` is R2's upload ID, needed to
   * abort an abandoned upload.
   */
  filePartsStarted(caller: Caller, object: number, upload: string): Promise<Result<null>>
  putFiles(
    caller: Caller,
    puts: readonly FilePut[],
  ): Promise<Result<readonly (FileInfo & { readonly created: boolean })[]>>
  /** `expect` is the required current version: a SHA-256, `*` for any file, or null for any state. */
  removeFile(caller: Caller, path: string, expect: string | null): Promise<Result<null>>
}
