// A conversation: its turns, and under them the composer.

import { useApp } from '../app.ts'
import { ComposerForm } from '../composer/composer-form.tsx'
import { Welcome } from '../library/welcome.tsx'
import { Notice } from '../parts/notice.tsx'
import { TurnView } from './turn-view.tsx'

export function ChatView() {
  const { conversation } = useApp()
  const isNew = conversation.threadId.value === null && conversation.state.value === 'ready'
  return (
    <>
      <div id="log" role="region" aria-label="Conversation">
        {conversation.trouble.value && <Notice trouble={conversation.trouble.value} />}
        {isNew && conversation.turns.value.length === 0 && <Welcome />}
        {conversation.turns.value.map((turn) => (
          <TurnView key={turn.key} turn={turn} />
        ))}
      </div>
      <ComposerForm />
    </>
  )
}
