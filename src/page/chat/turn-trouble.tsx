// What goes on and what went wrong, in words, with the one thing that helps. Decides nothing that the stores know.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { trouble, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { doing } from '../run/doing.ts'
import { troubleOf } from '../run/outcome.ts'
import { showsProgress } from '../run/rows.ts'
import { hasEnded } from '../run/state.ts'
import type { ConnectionState } from '../state/frame/connection.ts'
import type { Turn } from '../state/chat/turn.ts'

const AWAY = 'The server is not reached; the answer goes on there. Trying again…'

/** Of a message that reached nobody: it goes by itself (state/chat/resend.ts). */
const WAITING: Readonly<Record<ConnectionState['state']['value'], Partial<Trouble>>> = {
  good: {},
  offline: {
    title: 'The message waits for the network',
    detail: 'You are offline. It is sent as soon as the network is back.',
  },
  away: {
    title: 'The message waits for the server',
    detail: 'The server is not reached. It is sent as soon as it is.',
  },
}

/** One line under what was said last. */
export function WorkSign({ turn }: { readonly turn: Turn }) {
  const line = turn.line.value
  const run = turn.run.value
  const shown = run.status === 'running' && run.retry === null && showsProgress(run.items)
  const busy = line === 'good' && !shown ? doing(run) : null
  const text = line === 'away' && !hasEnded(run) ? AWAY : busy
  if (text === null) return null
  // What is read out is said by the page's one status.
  return <p class={line === 'away' ? 'sign away' : 'sign'}>{text}</p>
}

export function TurnTrouble({ turn }: { readonly turn: Turn }) {
  const { conversation, line: connection } = useApp()
  const failed = useSignal<Trouble | null>(null)
  const again = async (): Promise<void> => {
    const tried = await conversation.retry(turn)
    failed.value = tried.ok ? null : trouble('It could not be asked again', tried.error)
  }
  const line = turn.line.value
  const why = turn.trouble.value
  if (line === 'refused' && why)
    return (
      <FailureNotice
        trouble={why.unreached ? { ...why, ...WAITING[connection.state.value] } : why}
        again="Send again"
        onAgain={() => void conversation.sendAgain(turn)}
      >
        <Button kind="plain" onPress={() => conversation.withdraw(turn)}>
          Take it back
        </Button>
      </FailureNotice>
    )
  if (line === 'broken' && why)
    return <FailureNotice trouble={why} again="Reconnect" onAgain={() => void conversation.reconnect(turn)} />
  return <FailureNotice trouble={failed.value ?? troubleOf(turn.run.value)} onAgain={() => void again()} />
}
