// The box in which a message is written, and its way: sent, queued behind an answer, given back when it was refused. What is
// written survives a reload. Never draws.

import { batch, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import { MESSAGE_MAX_BYTES } from '../../../limits/requests.ts'
import type { FileInfo } from '../../../thread/api.ts'
import type { Trouble } from '../../lib/failure.ts'
import type { Attachments } from '../files/attachments.ts'
import type { Conversation } from '../chat/conversation.ts'
import { NO_DRAFT, type Draft, type Drafts } from './drafts.ts'
import type { Models } from './models.ts'
import { createQueue, type QueuedMessage } from './queue.ts'
import type { Turn } from '../chat/turn.ts'
import { createUnderway, named } from './underway.ts'

export interface Composer {
  readonly text: ReadonlySignal<string>
  /** What waits for the end of an answer. */
  readonly next: ReadonlySignal<QueuedMessage | null>
  /** Why the words of the box were not taken; null: nothing is wrong. */
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Raised when words came into the box from elsewhere: who draws it puts the caret behind them. */
  readonly filled: ReadonlySignal<number>
  write(text: string): void
  /** Words from elsewhere: a skill to try, a choice of a question. In front of what is there. */
  fill(text: string): void
  /** Sends what is written, or queues it while an answer goes on. */
  send(): Promise<void>
  /** Sends these words and the files that are attached; what stands in the box stays. */
  answer(text: string): Promise<void>
  /** The queued message comes back into the box. */
  editNext(): void
  /** The queued message is not wanted; its files are taken off. */
  dropNext(): void
  /** Opens the last question for editing; false: there is none, or an answer goes on. */
  editLast(): boolean
  stop(): Promise<void>
  /** Another conversation is shown; null: a new one. Before the conversation itself opens. */
  open(threadId: string | null): void
  /** Nobody is signed in any more: nothing of what was written stays. */
  forget(): void
}

export interface ComposerWiring {
  readonly conversation: Conversation
  readonly attachments: Attachments
  readonly drafts: Drafts
  readonly models: Models
  readonly say: (text: string) => void
}

export function createComposer(wiring: ComposerWiring): Composer {
  const { conversation, attachments, drafts, models, say } = wiring
  const text = signal('')
  const failed = signal<Trouble | null>(null)
  const filled = signal(0)
  /** What was sent and has no ids yet. */
  const sending = signal('')
  /** Undefined: nothing is open, and so nothing is kept. */
  const at = signal<string | null | undefined>(undefined)
  const queue = createQueue({
    active: conversation.active,
    onSend: dispatch,
    onBack(message) {
      giveBack(message)
      say('What was queued is in the box again.')
    },
  })

  const underway = createUnderway({ conversation, onNamed: settle, onRefused: takeBack, onLeft: afterLeft })

  function fill(inserted: string): void {
    text.value = joined(inserted, text.peek())
    filled.value = filled.peek() + 1
  }

  function giveBack(message: QueuedMessage): void {
    attachments.giveBack(message.chips)
    fill(message.text)
  }

  function dispatch(message: QueuedMessage): void {
    failed.value = null
    // Until then nothing is fixed, even where files have made a thread.
    const isNew = conversation.turns.peek().length === 0
    const files = message.chips.flatMap(({ uploaded }) => uploaded ?? [])
    sending.value = message.text
    void conversation.send(message.text, files, models.options(isNew), attachments.made.peek())
    // Sending begins with a turn of its own.
    const turn = conversation.turns.peek().at(-1)
    const from = at.peek()
    if (turn && from !== undefined) underway.watch(turn, from)
  }

  function settle(): void {
    sending.value = ''
    const id = conversation.threadId.peek()
    if (at.peek() !== null || id === null) return
    drafts.write(null, NO_DRAFT)
    at.value = id
    models.settle(id)
  }

  function afterLeft(turn: Turn, from: string | null, came: boolean): void {
    const unsent = came ? '' : turn.question.peek().text
    if (at.peek() === from) {
      if (unsent !== '') fill(unsent)
      return
    }
    // What came is no draft any more, and the thread of its files is none of the next one.
    drafts.write(from, {
      ...drafts.read(from),
      sending: unsent,
      ...(from === null && came ? { made: '' } : {}),
    })
  }

  function takeBack(turn: Turn): void {
    failed.value = turn.trouble.peek()
    conversation.withdraw(turn)
  }

  async function send(): Promise<void> {
    if (text.peek().trim() === '') {
      if (attachments.chips.peek().length > 0) say('Write what is to be done with the files.')
      return
    }
    if (!(await attachments.ready())) return
    // A blank in front stays: it keeps a slash from calling a skill.
    const written = text.peek().trimEnd()
    if (written.trim() === '') return
    if (bytesIn(written) > MESSAGE_MAX_BYTES) {
      failed.value = TOO_LONG
      return
    }
    failed.value = null
    const busy = conversation.active.peek() !== null
    if (busy && queue.next.peek()) return say('One message waits already: edit it, or take it off.')
    const message = { text: written, chips: attachments.take() }
    text.value = ''
    if (!busy) return dispatch(message)
    queue.put(message)
    say('Queued: it is sent when this answer ends.')
  }

  async function answer(chosen: string): Promise<void> {
    if (!(await attachments.ready()) || conversation.active.peek() !== null) return
    dispatch({ text: chosen, chips: attachments.take() })
  }

  // A refused turn was taken back.
  effect(() => {
    const back = conversation.returned.value
    if (!back) return
    untracked(() => {
      conversation.returned.value = null
      sending.value = ''
      attachments.restore(back.files)
      fill(back.text)
    })
  })
  // Files that wait in the thread are for the next message, whoever sends it.
  let waiting: readonly FileInfo[] = []
  effect(() => {
    const now = conversation.waitingFiles.value
    untracked(() => {
      attachments.letGo(waiting.filter((file) => !now.includes(file)))
      attachments.restore(now)
    })
    waiting = now
  })
  // The conversation went elsewhere by itself: a branch. A new one that got its thread is the same.
  effect(() => {
    const id = conversation.threadId.value
    if (at.peek() === undefined || id === at.peek()) return
    const began = conversation.turns.peek().some(({ run }) => run.peek().runId !== '')
    untracked(() => (at.peek() === null && began ? settle() : open(id)))
  })
  effect(() => {
    if (at.value === undefined) return
    drafts.write(at.value, {
      text: text.value,
      next: queue.next.value?.text ?? '',
      sending: sending.value,
      made: at.value === null ? (attachments.made.value ?? '') : '',
    })
  })

  function reset(): void {
    queue.reset()
    failed.value = null
    sending.value = ''
    text.value = ''
    filled.value = filled.peek() + 1
  }

  /** What was on its way when the page went: it came through, or it is written again. */
  function resume({ sending: lost }: Draft): void {
    if (lost === '') return
    const opened = at.peek()
    const stop = effect(() => {
      if (conversation.state.value === 'loading') return
      // Its turns are told in the same breath.
      queueMicrotask(() => {
        stop()
        if (opened !== at.peek() || sending.peek() !== lost) return
        if (conversation.turns.peek().at(-1)?.question.peek().text !== lost) fill(lost)
        sending.value = ''
      })
    })
  }

  function open(threadId: string | null): void {
    const kept = drafts.read(threadId)
    // What this page still sends is told when it came or did not.
    const draft = underway.has(threadId) ? { ...kept, sending: '', made: '' } : kept
    batch(() => {
      reset()
      at.value = threadId
      sending.value = draft.sending
      text.value = joined(draft.next, draft.text)
      attachments.reset(threadId === null && draft.made !== '' ? draft.made : null)
    })
    models.open(threadId)
    // The conversation opens after this, and says then what it holds.
    queueMicrotask(() => resume(draft))
  }

  return {
    text,
    next: queue.next,
    trouble: failed,
    filled,
    write: (typed) => {
      text.value = typed
      if (typed === '') failed.value = null
    },
    fill,
    send,
    answer,
    editNext() {
      const waits = queue.take()
      if (waits) giveBack(waits)
    },
    dropNext() {
      const waits = queue.take()
      if (!waits) return
      for (const chip of waits.chips) void attachments.takeOff(chip)
      say('It is not sent.')
    },
    editLast() {
      const last = conversation.turns.peek().at(-1)
      if (!last || conversation.active.peek()) return false
      conversation.editing.value = last
      return true
    },
    async stop() {
      const turn = conversation.active.peek()
      if (!turn) return
      say('Stopping…')
      await named(turn)
      const stopped = await conversation.stop()
      if (stopped && !stopped.ok && conversation.active.peek()) say('It could not be stopped. Try it again.')
    },
    open,
    forget() {
      batch(() => {
        reset()
        at.value = undefined
        attachments.reset()
      })
      drafts.clear()
      models.clear()
    },
  }
}

const TOO_LONG: Trouble = {
  title: 'This message is too long',
  detail: 'Attach the long part as a file: the agent reads of it what it needs.',
  marks: '',
  help: null,
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength
}

function joined(first: string, second: string): string {
  return [first, second].filter((part) => part.trim() !== '').join('\n\n')
}
