// How a run ended, in one sentence with the one button that helps.

import type { ComponentChildren } from 'preact'

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { endingOf, type Ending } from '../run/outcome.ts'
import type { RunState } from '../run/state.ts'
import { threadRoute } from '../state/frame/route.ts'
import type { Turn } from '../state/chat/turn.ts'

/** What the button sends. */
const CONTINUE_MESSAGE = 'Continue'

export interface TurnEndingProps {
  readonly turn: Turn
  /** Asks the question again. */
  readonly onRetry: () => void
}

export function TurnEnding({ turn, onRetry }: TurnEndingProps) {
  const { composer, conversation, route } = useApp()
  const run = turn.run.value
  const ending = endingOf(run)
  if (!ending) return null
  const { tone, text, action } = ending
  if (tone === 'quiet')
    return (
      <p class="step-note">
        <Icon name="stop" />
        {text}
      </p>
    )
  // Only the end of a thread can be continued.
  const isLast = conversation.turns.value.at(-1) === turn
  const buttons: Readonly<Record<NonNullable<Ending['action']>, ComponentChildren>> = {
    continue: isLast && <Button onPress={() => void composer.answer(CONTINUE_MESSAGE)}>Continue</Button>,
    edit: turn.question.value.text !== '' && (
      <Button onPress={() => (conversation.editedTurn.value = turn)}>Edit question</Button>
    ),
    again: <Button onPress={onRetry}>Try again</Button>,
    new: <Button onPress={() => route.go(threadRoute(null))}>Start a new thread</Button>,
  }
  return (
    <div class={`ending ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={tone === 'bad' ? 'warning' : 'info'} />
      <div>
        <p>{text}</p>
      </div>
      {action && buttons[action]}
      <Details run={run} />
    </div>
  )
}

/** What the server said about it, which few people need. */
function Details({ run: { error } }: { readonly run: Pick<RunState, 'error'> }) {
  if (!error) return null
  return (
    <details>
      <summary>Details</summary>
      <p dir="auto">{error.detail}</p>
      <small>
        {[error.code, error.request_id && `request ${error.request_id}`].filter(Boolean).join(' · ')}
      </small>
    </details>
  )
}
