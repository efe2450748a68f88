// A call that waits for approval: the exact request, the reason for asking, and the decision. Never takes the focus when it
// appears. Shows the server's marks and omissions unchanged.

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

import { shownToolName } from '../../client/call-text.ts'
import { useApp } from '../state/app.ts'
import type { ApprovalChoice } from '../../thread/approvals/api.ts'
import { describeFailure } from '../lib/failure.ts'
import { formatDeadline } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { titleOfCall } from '../run/call-labels.ts'
import type { ApprovalItem } from '../run/items.ts'
import { useShownWhole } from './show-whole.ts'
import { ApprovalForm } from './turn-approval-form.tsx'
import { Request } from './turn-request.tsx'

const DECISION_TEXT = {
  approve: 'approved',
  deny: 'denied',
  expired: 'refused: nobody answered in time',
  closed: 'not answered: the run has ended',
} as const

export interface ApprovalCardProps {
  readonly item: ApprovalItem
  /** Called after the server has saved the answer. */
  readonly onAnswered?: (decision: ApprovalChoice['decision'], by: string) => void
  /** Called if the server has not saved the answer. */
  readonly onRefused?: () => void
}

export function ApprovalCard({ item, onAnswered, onRefused }: ApprovalCardProps) {
  const { session } = useApp()
  const purpose = titleOfCall(item.name)
  const name = shownToolName(item.name)
  const title = useRef<HTMLHeadingElement>(null)
  const card = useRef<HTMLDivElement>(null)
  useShownWhole(card)
  const firstDigest = useRef(item.digest)
  const status = useSignal('')
  const isSendingAnswer = useSignal(false)
  /** The digest of the request that was answered. A later request needs a new answer. */
  const answeredDigest = useSignal<string | null>(null)
  const hasChanged = firstDigest.current !== item.digest

  const answer = async (choice: ApprovalChoice): Promise<void> => {
    const client = session.client.peek()
    if (!client) return
    isSendingAnswer.value = true
    status.value = 'Sending your answer…'
    const { threadId, runId, toolUseId, digest } = item
    const result = await client.decideCall(threadId, runId, toolUseId, { ...choice, digest })
    isSendingAnswer.value = false
    // The event with the decision may have arrived first.
    status.value = result.ok ? 'Your answer is saved.' : describeFailure('', result.error).detail
    const isClosed =
      !result.ok && result.error.kind === 'problem' && result.error.problem.code === 'approval_closed'
    if (result.ok || isClosed) answeredDigest.value = digest
    // The pressed button disappears, so the focus moves to the title.
    if (answeredDigest.value !== null) title.current?.focus()
    if (result.ok) onAnswered?.(result.value?.decision ?? choice.decision, result.value?.by ?? '')
    else onRefused?.()
  }

  if (item.decision !== null)
    return (
      <details class="step decided">
        <summary>
          <Icon name={item.decision === 'approve' ? 'check' : 'close'} />
          <span class="did">
            <b dir="auto">{name}</b>: {DECISION_TEXT[item.decision]}
            {(item.decision === 'approve' || item.decision === 'deny') && ` by ${item.decidedBy}`}
          </span>
        </summary>
        <Request item={item} />
      </details>
    )
  const note = (
    <p class="quiet">
      {status.value || (
        <>
          Expires <time dateTime={item.expiresAt}>{formatDeadline(item.expiresAt)}</time>
        </>
      )}
    </p>
  )
  return (
    <div ref={card} class="approval" role="group" aria-label={`Approve the call to ${name}?`}>
      <h3 ref={title} tabIndex={-1}>
        {purpose === null ? (
          <>
            Approve the call to <b dir="auto">{name}</b>?
          </>
        ) : (
          <b dir="auto">{purpose}</b>
        )}
      </h3>
      {hasChanged && <p class="changed">This call has changed. Check it again.</p>}
      <p class="quiet">
        {purpose !== null && (
          <>
            The agent asks to call <code dir="auto">{name}</code>.{' '}
          </>
        )}
        <span dir="auto">{item.reason}</span>
      </p>
      <Request item={item} />
      {item.freeFields.length > 0 && (
        <p class="changed">
          If you choose not to be asked again, the same call may have any value in these fields:{' '}
          {item.freeFields.join(', ')}
        </p>
      )}
      {answeredDigest.value === item.digest ? (
        note
      ) : (
        <ApprovalForm key={item.digest} isBusy={isSendingAnswer.value} onAnswer={answer}>
          {note}
        </ApprovalForm>
      )}
    </div>
  )
}
