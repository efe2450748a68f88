// The open thread: its turns, and the readers that follow what is being answered. Never draws, and knows nothing of the list.

import { computed, signal, type ReadonlySignal } from '@preact/signals'

import type { Receipt } from '../../agent/events.ts'
import type { Message } from '../../agent/message.ts'
import type { Client } from '../../client/client.ts'
import type { ChatRequest, ClientFailure } from '../../client/types.ts'
import type { Result } from '../../lib/result.ts'
import type { Effort } from '../../agent/model.ts'
import type { FileInfo, RunBudget } from '../../thread/api.ts'
import { trouble, type Trouble } from '../lib/failure.ts'
import { HISTORY_PAGES } from '../limits.ts'
import type { Ports } from '../platform.ts'
import { uploadsByRun, type SentFile } from '../run/files.ts'
import { askedIn, runFromHistory } from '../run/history.ts'
import { hasEnded, newRun } from '../run/state.ts'
import { ask, follow, type Following } from './follow.ts'
import { readAll } from './pages.ts'
import { byRun, createTurn, openTurn, type Turn } from './turn.ts'

/** What a message may bring besides its words. */
export interface Options {
  readonly model?: string
  readonly effort?: Effort
  readonly budget?: Partial<RunBudget>
}

export interface Conversation {
  /** Null: a new one, which the server does not know yet. */
  readonly threadId: ReadonlySignal<string | null>
  readonly state: ReadonlySignal<'ready' | 'loading' | 'failed'>
  readonly trouble: ReadonlySignal<Trouble | null>
  readonly turns: ReadonlySignal<readonly Turn[]>
  /** The turn that is being answered or waits; null: none. */
  readonly active: ReadonlySignal<Turn | null>
  /** Files of the thread that went with no message yet. */
  readonly waitingFiles: ReadonlySignal<readonly FileInfo[]>
  /** Shows a thread from its beginning and follows what still runs in it; null: a new one. */
  open(threadId: string | null): Promise<void>
  /** Resolves when the answer has ended. `made`: the thread that was made for its files. */
  send(text: string, files: readonly SentFile[], options: Options, made?: string | null): Promise<void>
  /** Sends a refused turn again: never a second run. */
  sendAgain(turn: Turn): Promise<void>
  /** Takes a refused turn away; answers what it asked. */
  withdraw(turn: Turn): Turn
  /** Follows a broken turn again. */
  reconnect(turn: Turn): Promise<void>
  stop(): Promise<Result<Receipt, ClientFailure> | null>
}

export interface ConversationWiring {
  readonly ports: Ports
  readonly client: ReadonlySignal<Client | null>
  /** A new conversation has its thread. */
  readonly onThread: (threadId: string) => void
  /** A run began or ended. */
  readonly onRun: (threadId: string) => void
}

export function createConversation({ ports, client, onThread, onRun }: ConversationWiring): Conversation {
  const threadId = signal<string | null>(null)
  const state = signal<'ready' | 'loading' | 'failed'>('ready')
  const failed = signal<Trouble | null>(null)
  const turns = signal<readonly Turn[]>([])
  const waitingFiles = signal<readonly FileInfo[]>([])
  const requests = new WeakMap<Turn, ChatRequest>()
  let visit = new AbortController()

  function followingOf(by: Client): Following {
    const { signal: left } = visit
    return {
      client: by,
      ports,
      signal: left,
      onStarted: (ids) => {
        if (left.aborted) return
        const isNew = threadId.peek() === null
        threadId.value = ids.threadId
        if (isNew) onThread(ids.threadId)
        onRun(ids.threadId)
      },
    }
  }

  async function run(turn: Turn, work: (following: Following) => Promise<void>): Promise<void> {
    const by = client.peek()
    if (!by) return
    turn.line.value = 'good'
    turn.trouble.value = null
    const following = followingOf(by)
    await work(following)
    const id = threadId.peek()
    if (id !== null && !following.signal.aborted && hasEnded(turn.run.peek())) onRun(id)
  }

  async function load(by: Client, id: string, left: AbortSignal): Promise<Trouble | null> {
    const path = `/v1/threads/${encodeURIComponent(id)}`
    // Runs first: one that has ended by then has all its messages in what is read after.
    const runs = await readAll<Receipt>(by, `${path}/runs`, HISTORY_PAGES)
    if (!runs.ok) return trouble('This thread could not be shown', runs.error)
    const [messages, kept] = await Promise.all([
      readAll<Message>(by, `${path}/messages`, HISTORY_PAGES),
      readAll<FileInfo>(by, `${path}/files`, HISTORY_PAGES),
    ])
    if (!messages.ok) return trouble('This thread could not be shown', messages.error)
    if (left.aborted) return null
    // Without the list of files the conversation can be read all the same.
    show(id, runs.value.data, messages.value.data, kept.ok ? kept.value.data : [])
    return null
  }

  function show(
    id: string,
    receipts: readonly Receipt[],
    messages: readonly Message[],
    files: readonly FileInfo[],
  ): void {
    const uploads = uploadsByRun(files, receipts)
    const known = new Map(receipts.map((receipt) => [receipt.run_id, receipt]))
    const own = byRun(messages)
    // Those that wait in line have no message yet. Newest first, as the list has them.
    const open = receipts.filter((receipt) => !hasEnded(receipt)).toReversed()
    const ids = new Set([...own.keys(), ...open.map((receipt) => receipt.run_id)])
    turns.value = [...ids].map((runId) => {
      const said = own.get(runId) ?? []
      const person = askedIn(said)
      const sent = uploads.byRun.get(runId) ?? []
      const asked = { text: person?.text ?? '', files: sent, messageId: person?.id ?? null }
      const receipt = known.get(runId) ?? null
      if (receipt && !hasEnded(receipt)) return openTurn(runId, asked)
      return createTurn(runId, asked, runFromHistory(runId, said, receipt, { id, files }))
    })
    waitingFiles.value = uploads.waiting
    for (const turn of turns.value.filter(({ run: { value } }) => !hasEnded(value)))
      void run(turn, async (following) => follow(turn, id, turn.run.peek().runId, following))
  }

  return {
    threadId,
    state,
    trouble: failed,
    turns,
    waitingFiles,
    active: computed(
      () =>
        turns.value.find(({ run: { value }, line }) => !hasEnded(value) && line.value !== 'refused') ?? null,
    ),

    async open(id) {
      visit.abort()
      visit = new AbortController()
      const { signal: left } = visit
      threadId.value = id
      turns.value = []
      waitingFiles.value = []
      failed.value = null
      const by = client.peek()
      state.value = id === null || !by ? 'ready' : 'loading'
      if (id === null || !by) return
      const why = await load(by, id, left)
      if (left.aborted) return
      failed.value = why
      state.value = why ? 'failed' : 'ready'
    },

    async send(text, files, options, made = null) {
      const id = threadId.peek() ?? made
      const sendKey = ports.freshKey()
      const turn = createTurn(sendKey, { text, files, messageId: null }, newRun(''), sendKey)
      const request = { message: text, ...options, ...(id === null ? {} : { thread_id: id }) }
      requests.set(turn, { ...request, on_busy: 'enqueue' })
      turns.value = [...turns.peek(), turn]
      waitingFiles.value = []
      await this.sendAgain(turn)
    },

    async sendAgain(turn) {
      const request = requests.get(turn)
      if (request) await run(turn, async (following) => ask(turn, request, following))
    },

    withdraw(turn) {
      turns.value = turns.peek().filter((other) => other !== turn)
      return turn
    },

    async reconnect(turn) {
      const id = threadId.peek()
      const { runId } = turn.run.peek()
      if (id !== null) await run(turn, async (following) => follow(turn, id, runId, following))
    },

    async stop() {
      const id = threadId.peek()
      const runId = this.active.peek()?.run.peek().runId
      if (id === null || !runId) return null
      const path = `/v1/threads/${encodeURIComponent(id)}/runs/${encodeURIComponent(runId)}/cancel`
      const stopped = await client.peek()?.json<Receipt>('POST', path)
      return stopped?.ok ? { ok: true, value: stopped.value.body } : (stopped ?? null)
    },
  }
}
