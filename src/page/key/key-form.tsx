// Asks for the key and explains where to find one.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'

/** `title`: null if the form is in a dialog, which has its own title. */
export function KeyForm({ title }: { readonly title: string | null }) {
  const { session } = useApp()
  const key = useSignal('')
  const remember = useSignal(session.isRemembered.peek())
  const keyError = useSignal<string | null>(null)
  const trouble = useSignal<Trouble | null>(null)
  const isCheckingKey = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submitKey = async (): Promise<void> => {
    const enteredKey = key.value.trim()
    trouble.value = null
    // No other characters are valid in the header that carries the key.
    if (!/^[\x21-\x7e]+$/.test(enteredKey)) {
      keyError.value =
        enteredKey === ''
          ? 'Enter a key.'
          : 'A key contains only letters, digits and punctuation, without spaces.'
      return
    }
    isCheckingKey.value = true
    const result = await session.enter(enteredKey, remember.value)
    isCheckingKey.value = false
    if (result.ok) return
    const { error } = result
    const isWrong = error.kind === 'problem' && error.problem.status === 401
    if (isWrong) keyError.value = 'The server does not know this key.'
    else trouble.value = { ...describeFailure('The key could not be checked', error), remedy: null }
  }
  return (
    <form
      class={title === null ? 'stack' : 'card'}
      onSubmit={(event) => {
        event.preventDefault()
        void submitKey()
      }}
    >
      {title !== null && (
        <h1>
          <img src="/icon.svg" alt="" width="32" height="32" />
          {title}
        </h1>
      )}
      {session.isKeyRefused.value && trouble.value === null && keyError.value === null && (
        <p class="notice bad" role="alert">
          The server does not accept the stored key.
        </p>
      )}
      <Field
        id="key"
        label="Key"
        isSecret
        value={key.value}
        inputRef={input}
        error={keyError.value}
        onInput={(value) => {
          key.value = value
          keyError.value = null
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={remember.value}
          onChange={(event) => (remember.value = event.currentTarget.checked)}
        />
        Remember it in this browser
      </label>
      {trouble.value && <Notice trouble={trouble.value} />}
      <Button kind="main" type="submit" isBusy={isCheckingKey.value}>
        Continue
      </Button>
      <p class="quiet">
        On your machine, <code>npm start</code> prints the key after the word <code>Bearer</code> and stores
        it in <code>.dev.vars</code> as <code>ADMIN_KEY</code>. For a deployed Satchel, ask its admin, who
        creates keys with <code>POST /admin/keys</code>.
      </p>
      <p class="quiet">If the browser does not remember the key, it is forgotten when the tab closes.</p>
    </form>
  )
}
