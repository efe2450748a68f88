// The row below an answer: copy, ask again, rate, and the receipt.

import { useSignal } from '@preact/signals'

import { focusMessageBox } from '../actions/focus-message.ts'
import { useApp } from '../state/app.ts'
import type { ClientFailure } from '../../client/types.ts'
import type { Result } from '../../lib/result.ts'
import { copyText } from '../lib/clipboard.ts'
import { describeFailure } from '../lib/failure.ts'
import { COPIED_LABEL_MS } from '../lib/limits.ts'
import { Button } from '../parts/button.tsx'
import { answerOf } from '../run/answer.ts'
import { endingOf } from '../run/outcome.ts'
import type { Turn } from '../state/chat/turn.ts'
import { RatingNote } from './turn-rating.tsx'
import { useReceipt } from './turn-receipt.tsx'

export interface TurnActionsProps {
  readonly turn: Turn
}

export function TurnActions({ turn }: TurnActionsProps) {
  const { conversation, ports, toasts } = useApp()
  const isCopied = useSignal(false)
  const isRequestPending = useSignal(false)
  const isWritingNote = useSignal(false)
  const run = turn.run.value
  const answer = answerOf(run.items)
  const { chip, slip } = useReceipt(run)
  const rating = run.receipt?.rating ?? null

  const runRequest = async (
    failureTitle: string,
    sendRequest: () => Promise<Result<null, ClientFailure>>,
  ): Promise<boolean> => {
    if (isRequestPending.peek()) return false
    isRequestPending.value = true
    const result = await sendRequest()
    isRequestPending.value = false
    if (!result.ok)
      toasts.show({
        text: `${failureTitle}: ${describeFailure(failureTitle, result.error).detail}`,
        isError: true,
      })
    return result.ok
  }
  const askAgain = async (): Promise<void> => {
    const isSent = await runRequest('The question could not be asked again', async () =>
      conversation.retry(turn),
    )
    if (isSent) focusMessageBox()
  }
  const copy = async (): Promise<void> => {
    isCopied.value = await copyText(answer)
    if (!isCopied.value)
      return void toasts.show({ text: 'The browser did not allow copying.', isError: true })
    await ports.wait(COPIED_LABEL_MS)
    isCopied.value = false
  }
  const rate = async (value: 'up' | 'down'): Promise<void> => {
    const isWithdrawn = rating?.value === value
    const sendRating = async (): Promise<Result<null, ClientFailure>> =>
      conversation.rate(turn, isWithdrawn ? null : { value })
    isWritingNote.value = (await runRequest('The rating was not saved', sendRating)) && !isWithdrawn
  }
  return (
    <>
      <div class="actions" role="group" aria-label="Actions for this answer">
        {answer !== '' && (
          <Button
            kind="plain"
            icon={isCopied.value ? 'check' : 'copy'}
            label={isCopied.value ? 'Copied' : 'Copy'}
            onPress={() => void copy()}
          />
        )}
        {turn.question.value.text !== '' && endingOf(run)?.action !== 'again' && (
          <Button
            kind="plain"
            icon="retry"
            label="Ask again"
            isBusy={isRequestPending.value}
            onPress={() => void askAgain()}
          />
        )}
        {run.receipt && answer !== '' && (
          <>
            <Button
              kind="plain"
              icon="up"
              label="Good answer"
              isPressed={rating?.value === 'up'}
              onPress={() => void rate('up')}
            />
            <Button
              kind="plain"
              icon="down"
              label="Poor answer"
              isPressed={rating?.value === 'down'}
              onPress={() => void rate('down')}
            />
          </>
        )}
        {chip}
      </div>
      {slip}
      {rating && isWritingNote.value && (
        <RatingNote
          value={rating.value}
          answerNumber={conversation.turns.peek().indexOf(turn) + 1}
          onSave={async (note) => {
            const sendNote = async (): Promise<Result<null, ClientFailure>> =>
              conversation.rate(turn, { value: rating.value, note })
            isWritingNote.value = !(await runRequest('The note was not saved', sendNote))
          }}
          onLeave={() => (isWritingNote.value = false)}
        />
      )}
    </>
  )
}
