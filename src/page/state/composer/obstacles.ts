// Why the page does not send a message. The reason is shown above the message box until it no longer applies.

import { effect, type ReadonlySignal, type Signal } from '@preact/signals'

import { jsonBytes } from '../../../lib/json-bytes.ts'
import { MESSAGE_MAX_BYTES } from '../../../limits/requests.ts'
import type { Trouble } from '../../lib/failure.ts'
import type { Attachments } from '../files/attachments.ts'

interface Wiring {
  readonly text: ReadonlySignal<string>
  readonly trouble: Signal<Trouble | null>
  readonly attachments: Pick<Attachments, 'ready' | 'chips'>
  readonly queuedMessage: ReadonlySignal<unknown>
}

export interface Obstacles {
  /** Waits for uploads. False, with the reason shown, if the message in the box cannot be sent. */
  areGone(): Promise<boolean>
  /** Waits for uploads. False, with the reason shown, if one failed. */
  filesAreReady(): Promise<boolean>
  /** True, with the reason shown, if a message is queued. */
  isQueueFull(): boolean
}

export function createObstacles({ text, trouble, attachments, queuedMessage }: Wiring): Obstacles {
  const hasFailed = (): boolean => attachments.chips.value.some(({ state }) => state === 'failed')

  effect(() => {
    const applies = new Map([
      [NO_TEXT, text.value.trim() === '' && attachments.chips.value.length > 0],
      [FILE_FAILED, hasFailed()],
      [QUEUE_FULL, queuedMessage.value !== null],
    ])
    const shown = trouble.peek()
    if (shown && applies.get(shown) === false) trouble.value = null
  })

  async function filesAreReady(): Promise<boolean> {
    const areReady = await attachments.ready()
    if (!areReady && hasFailed()) trouble.value = FILE_FAILED
    return areReady
  }

  return {
    filesAreReady,
    async areGone() {
      if (text.peek().trim() === '') {
        if (attachments.chips.peek().length > 0) trouble.value = NO_TEXT
        return false
      }
      if (!(await filesAreReady())) return false
      const message = text.peek().trimEnd()
      const isTooLong = jsonBytes(message) > MESSAGE_MAX_BYTES
      if (isTooLong) trouble.value = TOO_LONG
      return !isTooLong && message.trim() !== ''
    },
    isQueueFull() {
      if (queuedMessage.peek()) trouble.value = QUEUE_FULL
      return queuedMessage.peek() !== null
    },
  }
}

function reason(title: string, detail: string): Trouble {
  return { title, detail, supportCodes: '', remedy: null }
}

const NO_TEXT = reason('Say what the agent should do with the files', '')
const FILE_FAILED = reason(
  'A file could not be uploaded',
  'Try again or remove the file, then send the message.',
)
const QUEUE_FULL = reason('A message is already queued', 'Edit or remove it first.')
const TOO_LONG = reason(
  'This message is too long',
  'Attach the long part as a file. The agent will read what it needs from it.',
)
