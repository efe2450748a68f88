// What goes on and what went wrong, in words, with the one thing that helps. Decides nothing that the stores know.

import { useSignal } from '@preact/signals'

import { useApp } from '../app.ts'
import { trouble, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { doing } from '../run/doing.ts'
import { troubleOf } from '../run/outcome.ts'
import { tellsItself } from '../run/rows.ts'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/turn.ts'

const AWAY = 'The server is not reached; the answer goes on there. Trying again…'

/** One line under what was said last. */
export function WorkSign({ turn }: { readonly turn: Turn }) {
  const line = turn.line.value
  const run = turn.run.value
  const told = run.status === 'running' && run.retry === null && tellsItself(run.items)
  const busy = line === 'good' && !told ? doing(run) : null
  const text = line === 'away' && !hasEnded(run) ? AWAY : busy
  if (text === null) return null
  // What is read out is said by the page's one status.
  return <p class={line === 'away' ? 'sign away' : 'sign'}>{text}</p>
}

export function TurnTrouble({ turn }: { readonly turn: Turn }) {
  const { conversation, route, session } = useApp()
  const failed = useSignal<Trouble | null>(null)
  const line = turn.line.value
  const away = (help: NonNullable<Trouble['help']>): void => {
    if (help === 'key') session.asking.value = true
    if (help === 'new') route.go({ view: 'chat', threadId: null })
  }
  const why = turn.trouble.value
  if (line === 'refused' && why)
    return (
      <Notice
        trouble={why}
        again="Send again"
        onHelp={(help) => (help === 'again' ? void conversation.sendAgain(turn) : away(help))}
      >
        <Button kind="plain" onPress={() => conversation.withdraw(turn)}>
          Take it back
        </Button>
      </Notice>
    )
  if (line === 'broken' && why)
    return (
      <Notice
        trouble={why}
        again="Reconnect"
        onHelp={(help) => (help === 'again' ? void conversation.reconnect(turn) : away(help))}
      />
    )
  const ended = failed.value ?? troubleOf(turn.run.value)
  const again = async (): Promise<void> => {
    const tried = await conversation.retry(turn)
    failed.value = tried.ok ? null : trouble('It could not be asked again', tried.error)
  }
  return ended && <Notice trouble={ended} onHelp={(help) => (help === 'again' ? void again() : away(help))} />
}
