// Asks for the key, and says where one is found.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { trouble, type Trouble } from '../lib/failure.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Notice } from '../parts/notice.tsx'

/** `title`: null where something else says it. */
export function KeyForm({ title }: { readonly title: string | null }) {
  const { session } = useApp()
  const key = useSignal('')
  const remember = useSignal(session.remembered.peek())
  const wrong = useSignal<string | null>(null)
  const failed = useSignal<Trouble | null>(null)
  const busy = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const enter = async (): Promise<void> => {
    const given = key.value.trim()
    failed.value = null
    // Anything else cannot stand in a header.
    if (!/^[\x21-\x7e]+$/.test(given)) {
      wrong.value = given === '' ? 'Enter a key.' : 'A key has letters, digits and signs, and no spaces.'
      return
    }
    busy.value = true
    const entered = await session.enter(given, remember.value)
    busy.value = false
    if (entered.ok) return
    const { error } = entered
    const isWrong = error.kind === 'problem' && error.problem.status === 401
    if (isWrong) wrong.value = 'The server does not know this key.'
    else failed.value = { ...trouble('The key could not be tried', error), help: null }
  }
  return (
    <form
      class={title === null ? 'stack' : 'card'}
      onSubmit={(event) => {
        event.preventDefault()
        void enter()
      }}
    >
      {title !== null && (
        <h1>
          <img src="/icon.svg" alt="" width="32" height="32" />
          {title}
        </h1>
      )}
      {session.refused.value && failed.value === null && wrong.value === null && (
        <p class="notice bad" role="alert">
          The server does not take the key that was used here.
        </p>
      )}
      <Field
        id="key"
        label="Key"
        secret
        value={key.value}
        inputRef={input}
        error={wrong.value}
        onInput={(value) => {
          key.value = value
          wrong.value = null
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
      {failed.value && <Notice trouble={failed.value} />}
      <Button kind="main" type="submit" busy={busy.value}>
        Continue
      </Button>
      <p class="quiet">
        On your machine, <code>npm start</code> prints it behind the word <code>Bearer</code>; it stands in{' '}
        <code>.dev.vars</code> as <code>ADMIN_KEY</code>. For a deployed Satchel, ask whoever runs it: an
        admin makes keys with <code>POST /admin/keys</code>.
      </p>
      <p class="quiet">Without the tick, the key is gone when this tab is closed.</p>
    </form>
  )
}
