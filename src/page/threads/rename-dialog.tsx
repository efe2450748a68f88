// Renames a thread: Enter saves, Escape cancels.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { describeFailure } from '../lib/failure.ts'
import { THREAD_TITLE_MAX_CHARS } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'

export interface RenameDialogProps {
  readonly id: string
  readonly title: string
  readonly onClose: () => void
}

export function RenameDialog({ id, title, onClose }: RenameDialogProps) {
  const { threads, toasts } = useApp()
  const enteredTitle = useSignal(title)
  const titleError = useSignal<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const save = async (): Promise<void> => {
    const newTitle = enteredTitle.value.replace(/\s+/g, ' ').trim()
    if (newTitle === '') titleError.value = 'Enter a name.'
    else if (newTitle.length > THREAD_TITLE_MAX_CHARS)
      titleError.value = `Enter a name of at most ${THREAD_TITLE_MAX_CHARS} characters.`
    if (titleError.value !== null) return
    onClose()
    if (newTitle === title) return
    const result = await threads.rename(id, newTitle)
    if (result.ok) return
    const { detail } = describeFailure('', result.error)
    toasts.show({ text: `“${title}” was not renamed. ${detail}`, isError: true })
  }
  return (
    <Dialog title="Rename the thread" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label="Name"
          value={enteredTitle.value}
          inputRef={input}
          error={titleError.value}
          onInput={(value) => {
            enteredTitle.value = value
            titleError.value = null
          }}
        />
        <footer>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit">
            Rename
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
