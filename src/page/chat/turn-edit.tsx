// Edits a question in place. Sending forks the thread; Escape cancels.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { focusMessageBox } from '../actions/focus-message.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { messageKeyAction } from '../actions/message-keys.ts'
import { TOUCH_SCREEN } from '../lib/media.ts'
import { Button } from '../parts/button.tsx'
import type { Turn } from '../state/chat/turn.ts'

export interface EditQuestionProps {
  readonly turn: Turn
  /** Called when the editor closes and the focus must move. */
  readonly onLeave: () => void
  /** The files of the question, which are sent again. */
  readonly children: ComponentChildren
}

export function EditQuestion({ turn, onLeave, children }: EditQuestionProps) {
  const { conversation } = useApp()
  const box = useRef<HTMLTextAreaElement>(null)
  const text = useSignal(turn.question.peek().text)
  const isSending = useSignal(false)
  const editTrouble = useSignal<Trouble | null>(null)
  useLayoutEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(text.peek().length, text.peek().length)
  }, [])
  const leave = (): void => {
    conversation.editedTurn.value = null
    // The edit button returns with the next render.
    queueMicrotask(onLeave)
  }
  const send = async (): Promise<void> => {
    if (isSending.peek() || text.peek().trim() === '') return
    isSending.value = true
    const result = await conversation.edit(turn, text.peek())
    isSending.value = false
    if (result.ok) focusMessageBox()
    else editTrouble.value = describeFailure('The question could not be sent', result.error)
  }
  return (
    <form
      class="editing"
      aria-label="Edit the question"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={box}
        aria-label="Your question"
        dir="auto"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          const action = messageKeyAction(event, {
            isTouch: matchMedia(TOUCH_SCREEN).matches,
            isEmpty: false,
          })
          // Without this, Escape would also stop a running answer.
          if (action === 'stop') event.stopPropagation()
          if (action === 'stop') leave()
          if (action !== 'send') return
          event.preventDefault()
          void send()
        }}
      />
      {children}
      <div class="ways">
        <span class="quiet">The old version stays. Arrows below the question switch between them.</span>
        <Button onPress={leave}>Cancel</Button>
        <Button kind="main" type="submit" isBusy={isSending.value}>
          Send edit
        </Button>
      </div>
      <FailureNotice trouble={editTrouble.value} onRetry={() => void send()} />
    </form>
  )
}
