// Progress and failures of a turn in text, with the one button that helps. Only shows what the stores decide.

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

const AWAY = 'The server cannot be reached. The answer continues there. Trying again…'

/** For a message that did not reach the server. state/chat/resend.ts sends it again. */
const WAITING: Readonly<Record<ConnectionState['state']['value'], Partial<Trouble>>> = {
  good: {},
  offline: {
    title: 'The message waits for the network',
    detail: 'You are offline. The message is sent when the network is back.',
  },
  away: {
    title: 'The message waits for the server',
    detail: 'The server cannot be reached. The message is sent when it is back.',
  },
}

/** One line of progress at the end of a turn. */
export function WorkSign({ turn }: { readonly turn: Turn }) {
  const line = turn.line.value
  const run = turn.run.value
  const shown = run.status === 'running' && run.retry === null && showsProgress(run.items)
  const busy = line === 'good' && !shown ? doing(run) : null
  const text = line === 'away' && !hasEnded(run) ? AWAY : busy
  if (text === null) return null
  // Screen readers get this from the page's status line.
  return <p class={line === 'away' ? 'sign away' : 'sign'}>{text}</p>
}

export function TurnTrouble({ turn }: { readonly turn: Turn }) {
  const { conversation, line: connection } = useApp()
  const failed = useSignal<Trouble | null>(null)
  const again = async (): Promise<void> => {
    const tried = await conversation.retry(turn)
    failed.value = tried.ok ? null : trouble('The question could not be asked again', tried.error)
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
