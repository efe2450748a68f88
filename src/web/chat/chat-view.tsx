// A conversation: its turns, and where the next message is written.

import { useSignal } from '@preact/signals'

import { useApp } from '../app.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { Log } from './log.tsx'

export function ChatView() {
  const { conversation } = useApp()
  const text = useSignal('')
  const send = (): void => {
    if (text.value.trim() === '') return
    void conversation.send(text.value, [], {})
    text.value = ''
  }
  return (
    <>
      <Log>{conversation.trouble.value && <Notice trouble={conversation.trouble.value} />}</Log>
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
