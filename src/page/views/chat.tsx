// A conversation: its turns, and under them the composer.

import { useApp } from '../state/app.ts'
import { useHelp } from '../actions/help.ts'
import { ComposerForm } from '../composer/composer-form.tsx'
import { Welcome } from '../library/welcome.tsx'
import { Notice } from '../parts/notice.tsx'
import { Log } from '../chat/log.tsx'

export function ChatView() {
  const { conversation, route } = useApp()
  const help = useHelp(() => {
    const place = route.place.peek()
    if (place.view === 'chat') void conversation.open(place.threadId)
  })
  const isNew = conversation.threadId.value === null && conversation.state.value === 'ready'
  return (
    <>
      <Log>
        {conversation.trouble.value && <Notice trouble={conversation.trouble.value} onHelp={help} />}
        {isNew && conversation.turns.value.length === 0 && <Welcome />}
      </Log>
      <ComposerForm />
    </>
  )
}
