// A conversation: its turns, and under them the composer.

import { useApp } from '../app.ts'
import { ComposerForm } from '../composer/composer-form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Branches } from './branches.tsx'
import { TurnView } from './turn-view.tsx'

export function ChatView() {
  const { conversation } = useApp()
  return (
    <>
      <div id="log" role="region" aria-label="Conversation">
        {conversation.trouble.value && <Notice trouble={conversation.trouble.value} />}
        <Branches />
        {conversation.turns.value.map((turn) => (
          <TurnView key={turn.key} turn={turn} />
        ))}
      </div>
      <ComposerForm />
    </>
  )
}
