// The form that approves a call or denies it with a note, and sets how long the decision is remembered.

import { useSignal } from '@preact/signals'

import type { ApprovalChoice } from '../../thread/approvals/api.ts'
import { NOTE_CHARS_MAX } from './limits.ts'
import { Button } from '../parts/button.tsx'

export interface ApprovalFormProps {
  readonly isBusy: boolean
  readonly onAnswer: (choice: ApprovalChoice) => Promise<void>
}

export function ApprovalForm({ isBusy, onAnswer }: ApprovalFormProps) {
  const remember = useSignal<'' | 'run' | 'thread'>('')
  const note = useSignal('')
  const approve = (): void => {
    void onAnswer({ decision: 'approve', note: null, remember: remember.value || null })
  }
  const deny = (): void => {
    const denialNote = note.peek().trim()
    void onAnswer({ decision: 'deny', note: denialNote || null, remember: null })
  }
  return (
    <div class="approval-form">
      <div class="ways">
        <Button icon="check" isBusy={isBusy} onPress={approve}>
          Approve
        </Button>
        <select
          aria-label="The same call again"
          value={remember.value}
          onChange={({ currentTarget: { value } }) =>
            (remember.value = value === 'run' || value === 'thread' ? value : '')
          }
        >
          <option value="">Ask each time</option>
          <option value="run">Remember for this run</option>
          <option value="thread">Remember for this thread</option>
        </select>
      </div>
      <div class="ways">
        <Button icon="close" isBusy={isBusy} onPress={deny}>
          Deny
        </Button>
        <input
          aria-label="Note with a denial"
          type="text"
          autocomplete="off"
          maxLength={NOTE_CHARS_MAX}
          placeholder="Why not (optional)"
          value={note.value}
          onInput={(event) => (note.value = event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
