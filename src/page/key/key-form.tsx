// Asks for the key and explains where to find one.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import type { KeyRole } from '../../lib/caller.ts'
import { useApp } from '../state/app.ts'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { REMEMBER_HINTS, remembersByDefault } from './remember.ts'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'

// No other characters are valid in the header that carries the key.
const KEY_TEXT = /^[\x21-\x7e]+$/

/** `title`: null if the form is in a dialog, which has its own title. */
export function KeyForm({ title }: { readonly title: string | null }) {
  const { session } = useApp()
  const key = useSignal('')
  /** What the user chose; null until then, so that the key's role decides. */
  const remember = useSignal<boolean | null>(session.client.peek() ? session.isRemembered.peek() : null)
  /** The role of the entered key, if it is known. */
  const role = useSignal<KeyRole | null>(null)
  const keyError = useSignal<string | null>(null)
  const trouble = useSignal<Trouble | null>(null)
  const isCheckingKey = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  /** Asks for the role of a complete key, so that the box shows its default before the key is sent. */
  const readRole = async (): Promise<void> => {
    const enteredKey = key.value.trim()
    if (!KEY_TEXT.test(enteredKey)) return
    const result = await session.readRole(enteredKey)
    if (enteredKey === key.value.trim()) role.value = (result.ok && result.value) || null
  }
  const submitKey = async (): Promise<void> => {
    const enteredKey = key.value.trim()
    trouble.value = null
    if (!KEY_TEXT.test(enteredKey)) {
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
    if (isWrong) keyError.value = 'This key isn’t valid.'
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
          role.value = null
        }}
        onComplete={() => void readRole()}
      />
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={remember.value ?? remembersByDefault(role.value)}
            aria-describedby="remember-hint"
            onChange={(event) => (remember.value = event.currentTarget.checked)}
          />
          Remember it in this browser
        </label>
        <p class="quiet hint" id="remember-hint" aria-live="polite">
          {REMEMBER_HINTS[role.value ?? 'unknown']}
        </p>
      </div>
      {trouble.value && <Notice trouble={trouble.value} />}
      <Button kind="main" type="submit" isBusy={isCheckingKey.value}>
        Continue
      </Button>
      <details class="key-help">
        <summary>Where do I find my key?</summary>
        <p class="quiet">
          On your machine, open the link that <code>npm start</code> prints; its key is <code>ADMIN_KEY</code>{' '}
          in <code>.dev.vars</code>. For a deployed Satchel, ask its admin, who creates keys with{' '}
          <code>POST /admin/keys</code>.
        </p>
      </details>
    </form>
  )
}
