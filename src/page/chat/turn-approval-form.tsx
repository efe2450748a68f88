// The form that approves a call, perhaps for later calls too, or denies it with a note.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import type { ApprovalChoice } from '../../thread/approvals/api.ts'
import { NOTE_CHARS_MAX } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'

export interface ApprovalFormProps {
  readonly isBusy: boolean
  readonly onAnswer: (choice: ApprovalChoice) => Promise<void>
}

export function ApprovalForm({ isBusy, onAnswer }: ApprovalFormProps) {
  const isDenying = useSignal(false)
  const approve = (remember: ApprovalChoice['remember']): void => {
    if (!isBusy) void onAnswer({ decision: 'approve', note: null, remember })
  }
  if (isDenying.value)
    return (
      <DenialForm
        isBusy={isBusy}
        onDeny={(note) => void onAnswer({ decision: 'deny', note, remember: null })}
        onBack={() => (isDenying.value = false)}
      />
    )
  return (
    <div class="ways">
      <div class="split">
        <Button kind="main" isBusy={isBusy} onPress={() => approve(null)}>
          Approve
        </Button>
        <Menu
          label="Remember the answer"
          icon="chevron-down"
          class="main"
          items={[
            { label: 'Approve, and remember for this run', onPress: () => approve('run') },
            { label: 'Approve, and remember for this thread', onPress: () => approve('thread') },
          ]}
        />
      </div>
      <Button isBusy={isBusy} onPress={() => (isDenying.value = true)}>
        Deny
      </Button>
    </div>
  )
}

interface DenialFormProps {
  readonly isBusy: boolean
  readonly onDeny: (note: string | null) => void
  readonly onBack: () => void
}

function DenialForm({ isBusy, onDeny, onBack }: DenialFormProps) {
  const note = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <form
      class="ways"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onDeny(note.peek().trim() || null)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onBack()
      }}
    >
      <input
        ref={field}
        aria-label="Note with the denial"
        type="text"
        autocomplete="off"
        maxLength={NOTE_CHARS_MAX}
        placeholder="Why not? The agent reads this (optional)"
        value={note.value}
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        Deny
      </Button>
      <Button kind="plain" onPress={onBack}>
        Back
      </Button>
    </form>
  )
}
