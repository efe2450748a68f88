// Hooks that the message box uses to find out whether the conversation waits for the user.

import { useComputed } from '@preact/signals'

import { answerOptions } from '../../lib/answer-options.ts'
import { valueIn } from '../lib/fields.ts'
import { hasEnded } from '../run/state.ts'
import { useApp } from '../state/app.ts'

/** Whether a card has the main button: a pending approval, or a question that is being edited. */
export function useIsUserNeeded(): boolean {
  const { conversation } = useApp()
  return useComputed(() => {
    if (conversation.editedTurn.value !== null) return true
    const items = conversation.activeTurn.value?.run.value.items ?? []
    return items.some((item) => item.kind === 'approval' && item.decision === null)
  }).value
}

/** Whether the agent's last question has options; null if no question is open. */
export function useOpenQuestion(): 'options' | 'text' | null {
  const { conversation } = useApp()
  return useComputed(() => {
    const run = conversation.turns.value.at(-1)?.run.value
    if (!run || !hasEnded(run)) return null
    const call = run.items.findLast((item) => item.kind === 'tool' && item.name === 'ask_clarification')
    if (call?.kind !== 'tool' || call.state !== 'done') return null
    return answerOptions(valueIn(call.input, 'options')).length > 0 ? 'options' : 'text'
  }).value
}

export function placeholderForAnswer(question: 'options' | 'text'): string {
  return question === 'options' ? 'Answer, or pick an option above' : 'Answer the question above'
}
