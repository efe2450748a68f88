// The form that approves a call, perhaps for later calls too, or denies it with a note.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import type { ApprovalChoice } from '../../thread/approvals/api.ts'
import { NOTE_CHARS_MAX } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'

/** A remembered approval covers calls of the same tool with the same input. */
const REMEMBER = 'Approve, and don’t ask again for the same call'

export interface ApprovalFormProps {
  readonly isBusy: boolean
  readonly onAnswer: (choice: ApprovalChoice) => Promise<void>
  /** Shown at the end of the row: until when the call can be answered. */
  readonly children: ComponentChildren
}

export function ApprovalForm({ isBusy, onAnswer, children }: ApprovalFormProps) {
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
      >
        {children}
      </DenialForm>
    )
  return (
    <div class="ways">
      <div class="split">
        <Button kind="main" isBusy={isBusy} onPress={() => approve(null)}>
          Approve
        </Button>
        <Menu
          label={REMEMBER}
          icon="chevron-down"
          class="main"
          items={[
            { group: REMEMBER, label: 'In this answer', onPress: () => approve('run') },
            { group: REMEMBER, label: 'In this thread', onPress: () => approve('thread') },
          ]}
        />
      </div>
      <Button isBusy={isBusy} onPress={() => (isDenying.value = true)}>
        Deny
      </Button>
      {children}
    </div>
  )
}

interface DenialFormProps {
  readonly isBusy: boolean
  readonly onDeny: (note: string | null) => void
  readonly onBack: () => void
  readonly children: ComponentChildren
}

function DenialForm({ isBusy, onDeny, onBack, children }: DenialFormProps) {
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
        aria-label="Reason for the agent (optional)"
        type="text"
        autocomplete="off"
        maxLength={NOTE_CHARS_MAX}
        placeholder="Reason for the agent (optional)"
        value={note.value}
        onInput={(event) => (note.value = event.currentTarget.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        Deny
      </Button>
      <Button kind="plain" onPress={onBack}>
        Back
      </Button>
      {children}
    </form>
  )
}
