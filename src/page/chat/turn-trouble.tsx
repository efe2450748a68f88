// Shows a turn's progress and failures as text, with the one button that helps. The stores decide what is shown.

import { useSignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { focusMessageBox } from '../actions/focus-message.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { progressOf } from '../run/progress.ts'
import { rowsOf } from '../run/rows.ts'
import { hasEnded } from '../run/state.ts'
import { showsProgress } from '../run/work.ts'
import { TurnEnding } from './turn-ending.tsx'
import type { ConnectionState } from '../state/frame/connection.ts'
import type { Turn } from '../state/chat/turn.ts'

const SERVER_AWAY = 'The server cannot be reached. The answer continues there. Trying again…'

/** The texts for a message that did not reach the server. state/chat/resend.ts sends it again. */
const UNSENT_TEXTS: Readonly<Record<ConnectionState['state']['value'], Partial<Trouble>>> = {
  good: {},
  offline: {
    title: 'The message waits for the network',
    detail: 'You are offline. The message will be sent when the network is back.',
  },
  away: {
    title: 'The message waits for the server',
    detail: 'The server cannot be reached. The message will be sent when it is back.',
  },
}

/** One line of progress at the end of a turn. */
export function TurnProgress({ turn }: { readonly turn: Turn }) {
  const connectionState = turn.connection.value
  const run = turn.run.value
  const progress = connectionState === 'good' && !showsProgress(rowsOf(run.items)) ? progressOf(run) : null
  const text = connectionState === 'away' && !hasEnded(run) ? SERVER_AWAY : progress
  if (text === null) return null
  // Screen readers get this from the page's status line.
  const state = connectionState === 'away' ? 'away' : run.status === 'waiting' ? 'waiting' : null
  return (
    <p class={['sign', state].filter(Boolean).join(' ')}>
      {state === null && <Icon name={run.retry ? 'retry' : 'thought'} />}
      {text}
    </p>
  )
}

export function TurnTrouble({ turn }: { readonly turn: Turn }) {
  const { conversation, connection } = useApp()
  const retryTrouble = useSignal<Trouble | null>(null)
  const retry = async (): Promise<void> => {
    const result = await conversation.retry(turn)
    if (result.ok) focusMessageBox()
    retryTrouble.value = result.ok
      ? null
      : describeFailure('The question could not be asked again', result.error)
  }
  const connectionState = turn.connection.value
  const trouble = turn.trouble.value
  if (connectionState === 'refused' && trouble)
    return (
      <FailureNotice
        trouble={trouble.unreached ? { ...trouble, ...UNSENT_TEXTS[connection.state.value] } : trouble}
        retryLabel="Send again"
        onRetry={() => void conversation.sendAgain(turn)}
      >
        <Button kind="plain" onPress={() => conversation.withdraw(turn)}>
          Take it back
        </Button>
      </FailureNotice>
    )
  if (connectionState === 'broken' && trouble)
    return (
      <FailureNotice
        trouble={trouble}
        retryLabel="Reconnect"
        onRetry={() => void conversation.reconnect(turn)}
      />
    )
  return retryTrouble.value ? (
    <FailureNotice trouble={retryTrouble.value} onRetry={() => void retry()} />
  ) : (
    <TurnEnding turn={turn} onRetry={() => void retry()} />
  )
}
