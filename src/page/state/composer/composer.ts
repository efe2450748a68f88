// The message box: sends messages, queues one while an answer is running, and restores refused ones. Its text survives a reload.

import { batch, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { FileInfo } from '../../../thread/api.ts'
import type { Trouble } from '../../lib/failure.ts'
import { joinParagraphs } from '../../lib/join-paragraphs.ts'
import type { Attachments } from '../files/attachments.ts'
import type { Conversation } from '../chat/conversation-api.ts'
import { NO_DRAFT, type Draft, type Drafts } from './drafts.ts'
import type { Models } from './models.ts'
import { createQueue, type QueuedMessage } from './queue.ts'
import type { Turn } from '../chat/turn.ts'
import { createSteer } from './steer.ts'
import { createPendingSends, untilAssigned } from './pending-sends.ts'
import { createObstacles } from './obstacles.ts'

export interface Composer {
  readonly text: ReadonlySignal<string>
  /** The queued message, sent when the answer ends. */
  readonly queuedMessage: ReadonlySignal<QueuedMessage | null>
  /** Why the message was not accepted, or null if nothing is wrong. */
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Incremented when code other than the box inserts text. The view then moves the caret to the end. */
  readonly fillCount: ReadonlySignal<number>
  write(text: string): void
  /** Inserts text, such as a skill command, before the existing text. */
  fill(text: string): void
  /** Sends the text, or queues it while an answer is running. */
  send(): Promise<void>
  /** Sends the text into the running answer, which it joins at its next step. Without an answer, like `send`. */
  steer(): Promise<void>
  /** Sends the given text with the attached files. The text in the box does not change. */
  answer(text: string): Promise<void>
  /** Moves the queued message back into the box. */
  editQueued(): void
  /** Drops the queued message and its files. */
  dropQueued(): void
  /** Starts editing the last question. Returns false if there is none or an answer is running. */
  editLast(): boolean
  stop(): Promise<void>
  /** Switches to the draft of another thread; null for a new one. Call this before the conversation opens. */
  open(threadId: string | null): void
  /** Deletes all drafts, after sign-out. */
  forget(): void
}

export interface ComposerWiring {
  readonly conversation: Conversation
  readonly attachments: Attachments
  readonly drafts: Drafts
  readonly models: Models
  readonly announce: (text: string) => void
}

export function createComposer(wiring: ComposerWiring): Composer {
  const { conversation, attachments, drafts, models, announce } = wiring
  const text = signal('')
  const trouble = signal<Trouble | null>(null)
  const fillCount = signal(0)
  /** The text that was sent, until the server assigns the IDs of its run; otherwise ''. */
  const sendingText = signal('')
  /** The thread whose draft is in the box; null for a new thread. Undefined: no thread is open, so no draft is saved. */
  const draftThreadId = signal<string | null | undefined>(undefined)
  const queue = createQueue({
    activeTurn: conversation.activeTurn,
    onSend: dispatch,
    onReturn(message) {
      returnToBox(message)
      announce('The queued message was moved back to the message box.')
    },
  })

  const obstacles = createObstacles({ text, trouble, attachments, queuedMessage: queue.queuedMessage })

  const pendingSends = createPendingSends({
    conversation,
    onAssigned: adoptThread,
    onRefused: withdrawTurn,
    onLeft: keepUnsent,
  })

  function fill(insertedText: string): void {
    text.value = joinParagraphs(insertedText, text.peek())
    fillCount.value = fillCount.peek() + 1
  }

  function returnToBox(message: QueuedMessage): void {
    attachments.restoreChips(message.chips)
    fill(message.text)
  }

  function dispatch(message: QueuedMessage): void {
    trouble.value = null
    // The model can still be chosen for the first message, even if attaching files has already created the thread.
    const isNew = conversation.turns.peek().length === 0
    const files = message.chips.flatMap(({ uploaded }) => uploaded ?? [])
    sendingText.value = message.text
    const options = models.take(isNew, isNew ? null : (conversation.info.peek()?.model ?? null))
    void conversation.send(message.text, files, options, attachments.createdThread.peek())
    // Sending has just added this turn.
    const turn = conversation.turns.peek().at(-1)
    const originThread = draftThreadId.peek()
    if (turn && originThread !== undefined) pendingSends.watch(turn, originThread)
  }

  function adoptThread(): void {
    sendingText.value = ''
    const id = conversation.threadId.peek()
    if (draftThreadId.peek() !== null || id === null) return
    drafts.write(null, NO_DRAFT)
    draftThreadId.value = id
    models.assignThread(id)
  }

  function keepUnsent(turn: Turn, originThread: string | null, hasArrived: boolean): void {
    const unsent = hasArrived ? '' : turn.question.peek().text
    if (draftThreadId.peek() === originThread) {
      if (unsent !== '') fill(unsent)
      return
    }
    // A message that arrived is no longer a draft, and the next message must not use the thread created for its files.
    drafts.write(originThread, {
      ...drafts.read(originThread),
      sending: unsent,
      ...(originThread === null && hasArrived ? { createdThread: '' } : {}),
    })
  }

  function withdrawTurn(turn: Turn): void {
    trouble.value = turn.trouble.peek()
    models.giveBack()
    conversation.withdraw(turn)
  }

  const steer = createSteer({ text, trouble, conversation, attachments, obstacles, announce, send, fill })

  async function send(): Promise<void> {
    if (!(await obstacles.areGone())) return
    // Keep leading spaces, which prevent a slash from calling a skill.
    const trimmed = text.peek().trimEnd()
    const isBusy = conversation.activeTurn.peek() !== null
    if (isBusy && obstacles.isQueueFull()) return
    trouble.value = null
    const message = { text: trimmed, chips: attachments.take() }
    text.value = ''
    if (!isBusy) return dispatch(message)
    queue.put(message)
    announce('The message is queued and will be sent when this answer ends.')
  }

  async function answer(option: string): Promise<void> {
    if (!(await obstacles.filesAreReady()) || conversation.activeTurn.peek() !== null) return
    dispatch({ text: option, chips: attachments.take() })
  }

  // Puts the question of a withdrawn turn back into the box.
  effect(() => {
    const question = conversation.returnedQuestion.value
    if (!question) return
    untracked(() => {
      conversation.returnedQuestion.value = null
      sendingText.value = ''
      attachments.restore(question.files)
      fill(question.text)
    })
  })
  // Files waiting in the thread are sent with the next message, whoever sends it.
  let previousFiles: readonly FileInfo[] = []
  effect(() => {
    const currentFiles = conversation.waitingFiles.value
    untracked(() => {
      attachments.forgetFiles(previousFiles.filter((file) => !currentFiles.includes(file)))
      attachments.restore(currentFiles)
    })
    previousFiles = currentFiles
  })
  // Opens the draft of a fork that the conversation has switched to. A new conversation that is assigned its thread keeps its draft.
  effect(() => {
    const id = conversation.threadId.value
    if (draftThreadId.peek() === undefined || id === draftThreadId.peek()) return
    const hasStarted = conversation.turns.peek().some(({ run }) => run.peek().runId !== '')
    untracked(() => (draftThreadId.peek() === null && hasStarted ? adoptThread() : open(id)))
  })
  effect(() => {
    if (draftThreadId.value === undefined) return
    drafts.write(draftThreadId.value, {
      text: text.value,
      queued: queue.queuedMessage.value?.text ?? '',
      sending: sendingText.value,
      createdThread: draftThreadId.value === null ? (attachments.createdThread.value ?? '') : '',
    })
  })

  function reset(): void {
    queue.reset()
    trouble.value = null
    sendingText.value = ''
    text.value = ''
    fillCount.value = fillCount.peek() + 1
  }

  /** Restores a message that was being sent when the page closed, unless it arrived. */
  function restoreUnsent({ sending: unsentText }: Draft): void {
    if (unsentText === '') return
    const openedThread = draftThreadId.peek()
    const stop = effect(() => {
      if (conversation.state.value === 'loading') return
      // The conversation's turns change in the same tick, after this effect.
      queueMicrotask(() => {
        stop()
        if (openedThread !== draftThreadId.peek() || sendingText.peek() !== unsentText) return
        if (conversation.turns.peek().at(-1)?.question.peek().text !== unsentText) fill(unsentText)
        sendingText.value = ''
      })
    })
  }

  function open(threadId: string | null): void {
    const stored = drafts.read(threadId)
    // Messages that this page is still sending are handled by `pendingSends`.
    const draft = pendingSends.has(threadId) ? { ...stored, sending: '', createdThread: '' } : stored
    batch(() => {
      reset()
      draftThreadId.value = threadId
      sendingText.value = draft.sending
      text.value = joinParagraphs(draft.queued, draft.text)
      attachments.reset(threadId === null && draft.createdThread !== '' ? draft.createdThread : null)
    })
    models.open(threadId)
    // The conversation opens after this call, so wait until its state is set.
    queueMicrotask(() => restoreUnsent(draft))
  }

  return {
    text,
    queuedMessage: queue.queuedMessage,
    trouble,
    fillCount,
    write: (typed) => {
      text.value = typed
      if (typed === '') trouble.value = null
    },
    fill,
    send,
    steer,
    answer,
    editQueued() {
      const message = queue.take()
      if (message) returnToBox(message)
    },
    dropQueued() {
      const message = queue.take()
      if (!message) return
      for (const chip of message.chips) void attachments.removeChip(chip)
      announce('The queued message was removed and not sent.')
    },
    editLast() {
      const last = conversation.turns.peek().at(-1)
      if (!last || conversation.activeTurn.peek()) return false
      conversation.editedTurn.value = last
      return true
    },
    async stop() {
      const turn = conversation.activeTurn.peek()
      if (!turn) return
      announce('Stopping…')
      await untilAssigned(turn)
      const result = await conversation.stop()
      if (result && !result.ok && conversation.activeTurn.peek())
        announce('The answer could not be stopped. Try again.')
    },
    open,
    forget() {
      batch(() => {
        reset()
        draftThreadId.value = undefined
        attachments.reset()
      })
      drafts.clear()
      models.clear()
    },
  }
}
