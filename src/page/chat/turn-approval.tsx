// A call that waits for a person: what will be sent and where, why it is asked, and the answer, which goes for exactly what is
// shown. Never takes the focus; what the server marked and cut is shown as it came.

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import type { ApprovalChoice } from '../../thread/api.ts'
import { trouble } from '../lib/failure.ts'
import { wholeTime } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import type { ApprovalItem } from '../run/items.ts'
import { ApprovalForm } from './turn-approval-form.tsx'
import { Request } from './turn-request.tsx'

const DECIDED = {
  approve: 'approved',
  deny: 'denied',
  expired: 'refused, because nobody answered in time',
  closed: 'not answered: the run has ended',
} as const

export function ApprovalCard({ item }: { readonly item: ApprovalItem }) {
  const { session } = useApp()
  const title = useRef<HTMLHeadingElement>(null)
  const first = useRef(item.digest)
  const status = useSignal('')
  const busy = useSignal(false)
  /** The request that an answer was taken for: what came after it is asked anew. */
  const answered = useSignal<string | null>(null)
  const changed = first.current !== item.digest

  const answer = async (choice: ApprovalChoice): Promise<void> => {
    const by = session.client.peek()
    if (!by) return
    busy.value = true
    status.value = 'Sending your answer…'
    const { threadId, runId, toolUseId, digest } = item
    const taken = await by.approve(threadId, runId, toolUseId, { ...choice, digest })
    busy.value = false
    // The event says who and what; it may have come before this.
    status.value = taken.ok ? 'Your answer is kept.' : trouble('', taken.error).detail
    const closed =
      !taken.ok && taken.error.kind === 'problem' && taken.error.problem.code === 'approval_closed'
    if (taken.ok || closed) answered.value = digest
    // What was pressed goes.
    if (answered.value !== null) title.current?.focus()
  }

  if (item.decision !== null)
    return (
      <details class="step decided">
        <summary>
          <Icon name={item.decision === 'approve' ? 'check' : 'close'} />
          <span class="did">
            <b dir="auto">{item.name}</b>: {DECIDED[item.decision]}
            {(item.decision === 'approve' || item.decision === 'deny') && ` by ${item.by}`}
          </span>
        </summary>
        <Request item={item} />
      </details>
    )
  return (
    <div class="approval" role="group" aria-label={`May ${item.name} be called?`}>
      <h3 ref={title} tabIndex={-1}>
        May <b dir="auto">{item.name}</b> be called?
      </h3>
      {changed && <p class="changed">What this call would do has changed. Look at it again.</p>}
      <p class="quiet" dir="auto">
        {item.reason}
      </p>
      <Request item={item} />
      {item.free.length > 0 && (
        <p class="changed">
          If you remember your answer, these fields may hold anything in later calls: {item.free.join(', ')}
        </p>
      )}
      {answered.value !== item.digest && (
        <ApprovalForm key={item.digest} busy={busy.value} onAnswer={answer} />
      )}
      <p class="quiet">
        {status.value || (
          <>
            Without an answer it is refused on <time dateTime={item.expires}>{wholeTime(item.expires)}</time>.
          </>
        )}
      </p>
    </div>
  )
}
