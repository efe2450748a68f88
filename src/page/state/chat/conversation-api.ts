// What a conversation offers to the page, and what it needs.

import type { ReadonlySignal, Signal } from '@preact/signals'

import type { Receipt } from '../../../agent/events.ts'
import type { TodoItem } from '../../../agent/todos.ts'
import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { FileInfo, ThreadDetails } from '../../../thread/api.ts'
import type { Trouble } from '../../lib/failure.ts'
import type { Ports } from '../../lib/platform.ts'
import type { SentFile } from '../../run/files.ts'
import type { GivenRating } from './branch.ts'
import type { Branches } from './branches.ts'
import type { ThreadUsage } from './settled-usage.ts'
import type { Options, Turn, TurnQuestion } from './turn.ts'

export interface Conversation {
  /** Null for a new thread that does not exist on the server yet. */
  readonly threadId: ReadonlySignal<string | null>
  readonly state: ReadonlySignal<'ready' | 'loading' | 'failed'>
  readonly trouble: ReadonlySignal<Trouble | null>
  readonly turns: ReadonlySignal<readonly Turn[]>
  /** The turn that is running or waiting, or null. */
  readonly activeTurn: ReadonlySignal<Turn | null>
  /** Files of the thread that have not been sent with a message yet. */
  readonly waitingFiles: ReadonlySignal<readonly FileInfo[]>
  /** The server's record of the thread, read when it opens and when a run ends; null before that. */
  readonly info: ReadonlySignal<ThreadDetails | null>
  /** The thread's plan; null if it keeps none. */
  readonly plan: ReadonlySignal<readonly TodoItem[] | null>
  /** What the thread has used so far, without what is still being written; null until it is known. */
  readonly usage: ReadonlySignal<ThreadUsage | null>
  readonly branches: Branches
  /** The turn whose question is being edited, or null. */
  readonly editedTurn: Signal<Turn | null>
  /** The question of a withdrawn turn. The message box takes it and sets this to null. */
  readonly returnedQuestion: Signal<TurnQuestion | null>
  /** Shows a thread and follows its unfinished runs. Shows a new thread if `threadId` is null. */
  open(threadId: string | null): Promise<void>
  /** Sends a message. Resolves when the answer has ended. `thread`: the thread that was created for the files, or null. */
  send(text: string, files: readonly SentFile[], options: Options, thread?: string | null): Promise<void>
  /** Sends a refused turn again. Never starts a second run. */
  sendAgain(turn: Turn): Promise<void>
  /** Sends a message that joins the current answer, together with the files that were uploaded for it. */
  steer(text: string, files: readonly SentFile[]): Promise<Result<null, ClientFailure>>
  /** Continues the thread in a new window. `about`: what its summary must keep, if anything in particular. */
  compact(about: string | null): Promise<Result<null, ClientFailure>>
  /** Removes a refused turn and returns it. Its question is put into `returned`. */
  withdraw(turn: Turn): Turn
  /** Follows the answer of a broken turn again. */
  reconnect(turn: Turn): Promise<void>
  /** Asks the same question again in a fork that contains everything before that question. Resolves when the question is sent. */
  retry(turn: Turn): Promise<Result<null, ClientFailure>>
  /** Like `retry`, but with a different text. */
  edit(turn: Turn, text: string): Promise<Result<null, ClientFailure>>
  /** Sets the rating of an answer, or removes it if `rating` is null. */
  rate(turn: Turn, rating: GivenRating | null): Promise<Result<null, ClientFailure>>
  stop(): Promise<Result<Receipt, ClientFailure> | null>
}

export interface ConversationWiring {
  readonly ports: Ports
  readonly client: ReadonlySignal<Client | null>
  /** Called when a new conversation is assigned its thread, or when a fork is about to open. */
  readonly onThreadAssigned: (threadId: string) => void
  /** Threads that are being deleted. */
  readonly hiddenIds: ReadonlySignal<ReadonlySet<string>>
  /** Called when a run starts, waits, resumes or ends. */
  readonly onRunChanged: (threadId: string) => void
}
