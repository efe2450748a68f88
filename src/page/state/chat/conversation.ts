// The open thread: its turns, and the readers that follow its running answers. Never draws.

import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals'

import type { Receipt } from '../../../agent/events.ts'
import type { Effort } from '../../../agent/model.ts'
import type { Client } from '../../../client/client.ts'
import { cancel } from '../../../client/threads.ts'
import type { ChatRequest, ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import type { FileInfo, RunBudget, ThreadInfo } from '../../../thread/api.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import type { Ports } from '../../lib/platform.ts'
import type { SentFile } from '../../run/files.ts'
import { hasEnded, newRun } from '../../run/state.ts'
import { forkBefore, rate } from './branch.ts'
import { ask, follow, type Following } from './follow.ts'
import { readQuestion, readHistory, readInfo } from './history.ts'
import { runOfOtherTab, type RunBegun } from './tabs.ts'
import { createTurn, openTurn, type TurnQuestion, type Turn } from './turn.ts'

/** What a message may carry besides its text. */
export interface Options {
  readonly model?: string
  readonly effort?: Effort
  readonly budget?: Partial<RunBudget>
}

export interface Conversation {
  /** Null for a new thread that the server does not know yet. */
  readonly threadId: ReadonlySignal<string | null>
  readonly state: ReadonlySignal<'ready' | 'loading' | 'failed'>
  readonly trouble: ReadonlySignal<Trouble | null>
  readonly turns: ReadonlySignal<readonly Turn[]>
  /** The turn that is running or waiting, or null. */
  readonly active: ReadonlySignal<Turn | null>
  /** Files of the thread that were not sent with a message yet. */
  readonly waitingFiles: ReadonlySignal<readonly FileInfo[]>
  /** The server's record of the thread at the end of the newest run; null before it is read. */
  readonly info: ReadonlySignal<ThreadInfo | null>
  /** The turn whose question is being edited, or null. */
  readonly editing: Signal<Turn | null>
  /** The question of a refused turn, for the message box, which resets this to null. */
  readonly returned: Signal<TurnQuestion | null>
  /** Shows a thread from its beginning and follows its open runs. Null: a new thread. */
  open(threadId: string | null): Promise<void>
  /** Resolves when the answer has ended. `made`: the thread created for the files. */
  send(text: string, files: readonly SentFile[], options: Options, made?: string | null): Promise<void>
  /** Sends a refused turn again. Never starts a second run. */
  sendAgain(turn: Turn): Promise<void>
  /** Removes a refused turn and returns it; its question is in `returned`. */
  withdraw(turn: Turn): Turn
  /** Follows a broken turn again. */
  reconnect(turn: Turn): Promise<void>
  /** Asks the same question in a fork with everything before it. Resolves when it is sent. */
  retry(turn: Turn): Promise<Result<null, ClientFailure>>
  /** Like `retry`, with another text. */
  edit(turn: Turn, text: string): Promise<Result<null, ClientFailure>>
  /** Null removes the rating. */
  rate(
    turn: Turn,
    rating: { readonly value: 'up' | 'down'; readonly note?: string } | null,
  ): Promise<Result<null, ClientFailure>>
  stop(): Promise<Result<Receipt, ClientFailure> | null>
}

export interface ConversationWiring {
  readonly ports: Ports
  readonly client: ReadonlySignal<Client | null>
  /** A new conversation was assigned its thread, or a different thread is about to open. The router may go there. */
  readonly onThread: (threadId: string) => void
  /** A run started, waits, resumed or ended. */
  readonly onRun: (threadId: string) => void
}

const UNKNOWN_KEY_HASH = err({ kind: 'broken', detail: 'No key, or no thread yet.' } as const)

export function createConversation({ ports, client, onThread, onRun }: ConversationWiring): Conversation {
  const threadId = signal<string | null>(null)
  const state = signal<'ready' | 'loading' | 'failed'>('ready')
  const failed = signal<Trouble | null>(null)
  const turns = signal<readonly Turn[]>([])
  const waitingFiles = signal<readonly FileInfo[]>([])
  const info = signal<ThreadInfo | null>(null)
  const editing = signal<Turn | null>(null)
  const returned = signal<TurnQuestion | null>(null)
  const requests = new WeakMap<Turn, { readonly request: ChatRequest; readonly options: Options }>()
  /** Runs announced by other tabs while this tab was still reading the thread. */
  let heard: readonly RunBegun[] = []
  let visit = new AbortController()
  let opening: Promise<void> = Promise.resolve()
  const active = computed(
    () =>
      turns.value.find(({ run: { value }, line }) => !hasEnded(value) && line.value !== 'refused') ?? null,
  )

  function followingOf(by: Client, turn: Turn): Following {
    const { signal: left } = visit
    return {
      client: by,
      ports,
      signal: left,
      onStarted: (ids) => {
        const { text, files } = turn.question.peek()
        ports.tell({ kind: 'run', ...ids, text, files } satisfies RunBegun)
        onRun(ids.threadId)
        if (left.aborted) {
          // Nobody is looking any more, but the sender must know that the message arrived.
          turn.run.value = { ...turn.run.peek(), runId: ids.runId }
          return
        }
        const isNew = threadId.peek() === null
        threadId.value = ids.threadId
        if (isNew) onThread(ids.threadId)
      },
      onStatus: ({ runId, status }) => {
        const id = threadId.peek()
        if (id === null) return
        if (status === 'waiting' || status === 'running') onRun(id)
        if (status === 'running') void complete(by, id, turn, runId)
      },
    }
  }

  /** A run that was queued when the thread was opened has its question now. */
  async function complete(by: Client, id: string, turn: Turn, runId: string): Promise<void> {
    if (turn.sendKey !== '' || turn.question.peek().messageId !== null) return
    const stored = await readQuestion(by, id, runId)
    if (!stored.ok || !stored.value) return
    turn.question.value = { ...turn.question.peek(), text: stored.value.text, messageId: stored.value.id }
  }

  async function run(turn: Turn, work: (following: Following) => Promise<void>): Promise<void> {
    const by = client.peek()
    if (!by) return
    turn.line.value = 'good'
    turn.trouble.value = null
    const following = followingOf(by, turn)
    await work(following)
    // A new key replaced the one that this was read with.
    if (by !== client.peek() && !following.signal.aborted) goOn(turn)
    const id = threadId.peek()
    if (id === null || following.signal.aborted || !hasEnded(turn.run.peek())) return
    onRun(id)
    await refreshInfo(by, id)
  }

  async function refreshInfo(by: Client, id: string): Promise<void> {
    const now = await readInfo(by, id)
    if (now && threadId.peek() === id) info.value = now
  }

  /** Resumes with the new key what the old one stopped: following runs, and sending unsent messages. */
  function goOn(turn: Turn): void {
    const [id, why] = [threadId.peek(), turn.trouble.peek()]
    if (why?.help !== 'key' || client.peek() === null) return
    if (turn.line.peek() === 'refused') turn.trouble.value = { ...why, help: 'again' }
    else if (turn.line.peek() === 'broken' && id !== null) void followOn(id, turn)
  }
  effect(() => {
    const by = client.value
    untracked(() => (by ? turns.peek().forEach(goOn) : void open(null)))
  })

  function followOn(id: string, turn: Turn): Promise<void> {
    return run(turn, async (following) => follow(turn, id, turn.run.peek().runId, following))
  }

  function adopt(begun: RunBegun): void {
    if (turns.peek().some(({ run: { value } }) => value.runId === begun.runId)) return
    const turn = openTurn(begun.runId, { text: begun.text, files: begun.files, messageId: null })
    turns.value = [...turns.peek(), turn]
    void followOn(begun.threadId, turn)
  }

  ports.hear((message) => {
    const id = threadId.peek()
    const begun = runOfOtherTab(message)
    if (!begun || begun.threadId !== id) return
    if (state.peek() === 'loading') heard = [...heard, begun]
    else adopt(begun)
  })

  async function open(id: string | null): Promise<void> {
    opening = show(id)
    await opening
  }

  async function show(id: string | null): Promise<void> {
    visit.abort()
    visit = new AbortController()
    const { signal: left } = visit
    threadId.value = id
    turns.value = []
    waitingFiles.value = []
    info.value = null
    editing.value = null
    failed.value = null
    heard = []
    const by = client.peek()
    state.value = id === null || !by ? 'ready' : 'loading'
    if (id === null || !by) return
    const read = await readHistory(by, id)
    if (left.aborted) return
    state.value = read.ok ? 'ready' : 'failed'
    failed.value = read.ok ? null : trouble('This thread could not be shown', read.error)
    if (!read.ok) return
    turns.value = read.value.turns
    waitingFiles.value = read.value.waiting
    info.value = read.value.info
    for (const turn of read.value.turns) if (!hasEnded(turn.run.peek())) void followOn(id, turn)
    for (const begun of heard) adopt(begun)
    heard = []
  }

  async function send(
    text: string,
    files: readonly SentFile[],
    options: Options,
    made: string | null = null,
  ): Promise<void> {
    const id = threadId.peek() ?? made
    const sendKey = ports.freshKey()
    const turn = createTurn(sendKey, { text, files, messageId: null }, newRun(''), sendKey)
    const request = { message: text, ...options, ...(id === null ? {} : { thread_id: id }) }
    requests.set(turn, { request: { ...request, on_busy: 'enqueue' }, options })
    turns.value = [...turns.peek(), turn]
    waitingFiles.value = []
    await sendAgain(turn)
  }

  async function sendAgain(turn: Turn): Promise<void> {
    const sent = requests.get(turn)
    if (!sent) return
    // Another message of a new conversation may have created its thread by now.
    const id = threadId.peek()
    const request = id === null ? sent.request : { ...sent.request, thread_id: id }
    await run(turn, async (following) => ask(turn, request, following))
  }

  async function edit(turn: Turn, text: string): Promise<Result<null, ClientFailure>> {
    const [by, id] = [client.peek(), threadId.peek()]
    if (!by || id === null) return UNKNOWN_KEY_HASH
    const { signal: left } = visit
    const made = await forkBefore(by, id, turn, ports.freshKey())
    if (!made.ok) return made
    // A user who has left is not brought back: the fork is in the list.
    if (left.aborted) return ok(null)
    onThread(made.value)
    if (threadId.peek() !== made.value) void open(made.value)
    await opening
    if (threadId.peek() !== made.value) return ok(null)
    // Without its transcript the thread cannot take an answer. The page shows the error and offers a retry.
    if (state.peek() === 'failed') return ok(null)
    void send(text, waitingFiles.peek(), requests.get(turn)?.options ?? {})
    return ok(null)
  }

  return {
    threadId,
    state,
    trouble: failed,
    turns,
    waitingFiles,
    info,
    editing,
    returned,
    active,
    open,
    send,
    sendAgain,
    edit,
    retry: async (turn) => edit(turn, turn.question.peek().text),

    withdraw(turn) {
      turns.value = turns.peek().filter((other) => other !== turn)
      returned.value = turn.question.peek()
      return turn
    },

    async reconnect(turn) {
      const id = threadId.peek()
      if (id !== null) await followOn(id, turn)
    },

    async rate(turn, rating) {
      const [by, id] = [client.peek(), threadId.peek()]
      return by && id !== null ? rate(by, id, turn, rating) : UNKNOWN_KEY_HASH
    },

    async stop() {
      const id = threadId.peek()
      const runId = active.peek()?.run.peek().runId
      if (id === null || !runId) return null
      const by = client.peek()
      return by && cancel(by, id, runId)
    },
  }
}
