// The open thread: its turns, and the readers that follow its running answers. Renders nothing.

import { batch, computed, effect, signal, untracked } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { cancelRun } from '../../../client/threads.ts'
import type { ChatRequest, ClientFailure } from '../../../client/types.ts'
import { ok, type Result } from '../../../lib/result.ts'
import type { FileInfo, ThreadDetails } from '../../../thread/api.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import type { SentFile } from '../../run/files.ts'
import { hasEnded, newRun } from '../../run/state.ts'
import { forkBefore, rate } from './branch.ts'
import { ask, follow, type FollowContext } from './follow.ts'
import { compact } from './compact.ts'
import { nextRun, NOT_READY, steer } from './steer.ts'
import { createBranches } from './branches.ts'
import type { Conversation, ConversationWiring } from './conversation-api.ts'
import { keepShownTurns, readHistory, readInfo, updateQuestion } from './history.ts'
import { shownPlan } from './shown-plan.ts'
import { createSettledUsage } from './settled-usage.ts'
import { listenForRuns, type RunAnnouncement } from './run-announcements.ts'
import {
  createTurn,
  isActive,
  createUnfinishedTurn,
  type Options,
  type TurnQuestion,
  type Turn,
} from './turn.ts'

export function createConversation(wiring: ConversationWiring): Conversation {
  const { ports, client, hiddenIds, onThreadAssigned, onRunChanged } = wiring
  const threadId = signal<string | null>(null)
  const state = signal<'ready' | 'loading' | 'failed'>('ready')
  const trouble = signal<Trouble | null>(null)
  const turns = signal<readonly Turn[]>([])
  const waitingFiles = signal<readonly FileInfo[]>([])
  const info = signal<ThreadDetails | null>(null)
  const editedTurn = signal<Turn | null>(null)
  const returnedQuestion = signal<TurnQuestion | null>(null)
  const requests = new WeakMap<Turn, { readonly request: ChatRequest; readonly options: Options }>()
  const branches = createBranches(client, info, hiddenIds)
  const settled = createSettledUsage(info, threadId)
  const announcements = listenForRuns(
    ports,
    (id) => (id !== threadId.peek() ? 'ignore' : state.peek() === 'loading' ? 'hold' : 'add'),
    addAnnouncedRun,
  )
  /** The turns and the number of messages that were stored when the thread was opened. */
  let stored = { turns: turns.peek(), messageCount: 0 }
  let visitController = new AbortController()
  let opening: Promise<void> = Promise.resolve()
  const activeTurn = computed(() => turns.value.find(isActive) ?? null)
  const plan = computed(() => shownPlan(turns.value, info.value))

  function createFollowContext(activeClient: Client, turn: Turn): FollowContext {
    const { signal: visitSignal } = visitController
    return {
      client: activeClient,
      ports,
      signal: visitSignal,
      onStarted: (ids) => {
        const { text, files } = turn.question.peek()
        ports.broadcast({ kind: 'run', ...ids, text, files } satisfies RunAnnouncement)
        onRunChanged(ids.threadId)
        if (visitSignal.aborted) {
          // The thread is no longer open, but the composer must still learn that the message arrived.
          turn.run.value = { ...turn.run.peek(), runId: ids.runId }
          return
        }
        const isNew = threadId.peek() === null
        threadId.value = ids.threadId
        if (isNew) onThreadAssigned(ids.threadId)
      },
      onStepCompleted: () => void settled.read(activeClient),
      onStatusChanged: ({ status }) => {
        const id = threadId.peek()
        if (id === null) return
        if (status === 'waiting' || status === 'running') onRunChanged(id)
        if (status === 'running') void updateQuestion(activeClient, id, turn)
      },
    }
  }

  async function runTurn(turn: Turn, task: (context: FollowContext) => Promise<void>): Promise<void> {
    const current = client.peek()
    if (!current) return
    turn.connection.value = 'good'
    turn.trouble.value = null
    const context = createFollowContext(current, turn)
    await task(context)
    // The key was replaced while this was running.
    if (current !== client.peek() && !context.signal.aborted) resumeTurn(turn)
    const id = threadId.peek()
    if (id === null || context.signal.aborted || !hasEnded(turn.run.peek())) return
    onRunChanged(id)
    nextRun(id, turn, addAnnouncedRun)
    await refreshInfo(current, id)
  }

  async function refreshInfo(activeClient: Client, id: string): Promise<void> {
    const updated = await readInfo(activeClient, id)
    if (updated && threadId.peek() === id) info.value = updated
  }

  /** After the key was replaced, resumes following a run, or makes an unsent message ready to be sent again. */
  function resumeTurn(turn: Turn): void {
    const [id, failure] = [threadId.peek(), turn.trouble.peek()]
    if (failure?.remedy !== 'key' || client.peek() === null) return
    if (turn.connection.peek() === 'refused') turn.trouble.value = { ...failure, remedy: 'again' }
    else if (turn.connection.peek() === 'broken' && id !== null) void followTurn(id, turn)
  }
  effect(() => {
    const current = client.value
    untracked(() => (current ? turns.peek().forEach(resumeTurn) : void open(null)))
  })

  function followTurn(id: string, turn: Turn): Promise<void> {
    return runTurn(turn, async (context) => follow(turn, id, turn.run.peek().runId, context))
  }

  function addAnnouncedRun({ threadId: id, runId, text, files }: Omit<RunAnnouncement, 'kind'>): void {
    if (turns.peek().some(({ run: { value } }) => value.runId === runId)) return
    const turn = createUnfinishedTurn(runId, { text, files, messageId: null })
    turns.value = [...turns.peek(), turn]
    void followTurn(id, turn)
  }

  async function open(id: string | null): Promise<void> {
    opening = loadThread(id)
    await opening
  }

  function clear(): void {
    turns.value = []
    stored = { turns: turns.peek(), messageCount: 0 }
    info.value = null
  }

  async function loadThread(id: string | null): Promise<void> {
    visitController.abort()
    visitController = new AbortController()
    const { signal: visitSignal } = visitController
    threadId.value = id
    // Another branch replaces the shown one only once it has been read, so that what they share stays in place.
    const isBranch = id !== null && info.peek() !== null && branches.includes(id)
    if (!isBranch) clear()
    waitingFiles.value = []
    editedTurn.value = null
    trouble.value = null
    announcements.clear()
    const current = client.peek()
    state.value = id === null || !current ? 'ready' : 'loading'
    if (id === null || !current) return
    const history = await readHistory(current, id)
    if (visitSignal.aborted) return
    state.value = history.ok ? 'ready' : 'failed'
    trouble.value = history.ok ? null : describeFailure('This thread could not be shown', history.error)
    if (!history.ok) return clear()
    batch(() => {
      turns.value = isBranch ? keepShownTurns(turns.peek(), history.value.turns) : history.value.turns
      waitingFiles.value = history.value.waitingFiles
      info.value = history.value.info
    })
    stored = { turns: turns.peek(), messageCount: history.value.messageCount }
    for (const turn of stored.turns) if (!hasEnded(turn.run.peek())) void followTurn(id, turn)
    announcements.release()
  }

  async function send(
    text: string,
    files: readonly SentFile[],
    options: Options,
    createdThread: string | null = null,
  ): Promise<void> {
    const id = threadId.peek() ?? createdThread
    const sendKey = ports.newSendKey()
    // The messages of answers that came later are not counted here.
    const messagesBefore = turns.peek() === stored.turns ? stored.messageCount : null
    const question = { text, files, messageId: null, messagesBefore }
    const turn = createTurn(sendKey, question, newRun(''), sendKey)
    const request = { message: text, ...options, ...(id === null ? {} : { thread_id: id }) }
    requests.set(turn, { request: { ...request, on_busy: 'enqueue' }, options })
    turns.value = [...turns.peek(), turn]
    waitingFiles.value = []
    await sendAgain(turn)
  }

  async function sendAgain(turn: Turn): Promise<void> {
    const sentMessage = requests.get(turn)
    if (!sentMessage) return
    // In a new conversation, another message may have created the thread in the meantime.
    const id = threadId.peek()
    const request = id === null ? sentMessage.request : { ...sentMessage.request, thread_id: id }
    await runTurn(turn, async (context) => ask(turn, request, context))
  }

  async function edit(turn: Turn, text: string): Promise<Result<null, ClientFailure>> {
    const [current, id] = [client.peek(), threadId.peek()]
    if (!current || id === null) return NOT_READY
    const { signal: visitSignal } = visitController
    const forkResult = await forkBefore(current, id, turn, ports.newSendKey())
    if (!forkResult.ok) return forkResult
    // If the user has left the thread, do not open the fork. It appears in the list of threads.
    if (visitSignal.aborted) return ok(null)
    branches.add(forkResult.value)
    onThreadAssigned(forkResult.value)
    if (threadId.peek() !== forkResult.value) void open(forkResult.value)
    await opening
    if (threadId.peek() !== forkResult.value) return ok(null)
    // The fork could not be read, so its files are unknown. The page shows the error and offers a retry.
    if (state.peek() === 'failed') return ok(null)
    void send(text, waitingFiles.peek(), requests.get(turn)?.options ?? {})
    return ok(null)
  }

  return {
    threadId,
    state,
    trouble,
    turns,
    waitingFiles,
    info,
    plan,
    usage: settled.usage,
    branches,
    editedTurn,
    returnedQuestion,
    activeTurn,
    open,
    send,
    sendAgain,
    edit,
    retry: async (turn) => edit(turn, turn.question.peek().text),

    withdraw(turn) {
      turns.value = turns.peek().filter((candidate) => candidate !== turn)
      returnedQuestion.value = turn.question.peek()
      return turn
    },

    reconnect: async (turn) => {
      const id = threadId.peek()
      if (id !== null) await followTurn(id, turn)
    },

    steer: async (text, files) =>
      steer(client.peek(), threadId.peek(), { text, files }, ports.newSendKey(), addAnnouncedRun),

    compact: async (about) => compact(client.peek(), threadId.peek(), about, addAnnouncedRun),

    rate: async (turn, rating) => {
      const [current, id] = [client.peek(), threadId.peek()]
      return current && id !== null ? rate(current, id, turn, rating) : NOT_READY
    },
    async stop() {
      const [current, id, runId] = [client.peek(), threadId.peek(), activeTurn.peek()?.run.peek().runId]
      return current && id !== null && runId ? cancelRun(current, id, runId) : null
    },
  }
}
