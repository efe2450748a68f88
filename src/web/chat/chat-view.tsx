// A conversation: its turns, and where the next message is written.

import { useSignal, useSignalEffect } from '@preact/signals'

import { useApp } from '../app.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Branches } from './branches.tsx'
import { TurnView } from './turn-view.tsx'

export function ChatView() {
  const { conversation } = useApp()
  const text = useSignal('')
  useSignalEffect(() => {
    const back = conversation.returned.value
    if (!back) return
    text.value = [back.text, text.peek()].filter(Boolean).join('\n\n')
    conversation.returned.value = null
  })
  const send = (): void => {
    if (text.value.trim() === '') return
    void conversation.send(text.value, [], {})
    text.value = ''
  }
  return (
    <>
      <div id="log" role="region" aria-label="Conversation">
        {conversation.trouble.value && <Notice trouble={conversation.trouble.value} />}
        <Branches />
        {conversation.turns.value.map((turn) => (
          <TurnView key={turn.key} turn={turn} />
        ))}
      </div>
      <form
        id="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <label class="unseen" for="message">
          Message
        </label>
        <textarea
          id="message"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <Button kind="main" type="submit">
          Send
        </Button>
      </form>
    </>
  )
}
