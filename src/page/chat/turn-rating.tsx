// Asks why an answer was good or poor. The note is optional: the rating is already saved.

import { useSignal } from '@preact/signals'

import { NOTE_CHARS_MAX } from './limits.ts'
import { Button } from '../parts/button.tsx'

export interface RatingNoteProps {
  readonly value: 'up' | 'down'
  /** The answer's position in the conversation, starting at 1. */
  readonly answerNumber: number
  readonly onSave: (note: string) => Promise<void>
  readonly onLeave: () => void
}

export function RatingNote({ value, answerNumber, onSave, onLeave }: RatingNoteProps) {
  const note = useSignal('')
  const label = value === 'up' ? 'What was good? (optional)' : 'What was wrong? (optional)'
  return (
    <form
      class="rating-note"
      aria-label={`Note on answer ${answerNumber}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (note.peek().trim() !== '') void onSave(note.peek().trim())
      }}
    >
      <span aria-hidden="true">{label}</span>
      <div class="ways">
        <input
          aria-label={label}
          type="text"
          autocomplete="off"
          maxLength={NOTE_CHARS_MAX}
          value={note.value}
          onInput={(event) => (note.value = event.currentTarget.value)}
        />
        <Button type="submit">Save the note</Button>
        <Button kind="plain" onPress={onLeave}>
          No note
        </Button>
      </div>
    </form>
  )
}
