// Continues the open thread in a new context window, with a summary that keeps what the user names.

import { useSignal } from '@preact/signals'

import { describeFailure } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useApp } from '../state/app.ts'

const FAILED = 'The conversation was not compacted'

export function CompactForm({ close }: { readonly close: () => void }) {
  const { conversation, toasts } = useApp()
  const about = useSignal('')
  const isBusy = conversation.activeTurn.value !== null
  const compact = async (): Promise<void> => {
    close()
    const result = await conversation.compact(about.peek().trim() || null)
    if (!result.ok)
      toasts.show({ text: `${FAILED}: ${describeFailure(FAILED, result.error).detail}`, isError: true })
  }
  return (
    // The message form contains this, so it cannot be a form itself.
    <div
      class="compact"
      role="group"
      aria-label="Compact"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        if (!isBusy) void compact()
      }}
    >
      <strong>Shorten this thread</strong>
      <p class="quiet">The agent continues with a summary of it. Nothing is deleted.</p>
      <Field
        label="What the summary must keep (optional)"
        value={about.value}
        onInput={(value) => (about.value = value)}
      />
      <Button isBusy={isBusy} onPress={() => void compact()}>
        Shorten now
      </Button>
    </div>
  )
}
