// Asks for the key, and says where one is found.

import { useSignal } from '@preact/signals'

import { useApp } from './app.ts'
import { trouble, type Trouble } from './lib/failure.ts'
import { Button } from './parts/button.tsx'
import { Notice } from './parts/notice.tsx'

export function KeyForm() {
  const { session } = useApp()
  const key = useSignal('')
  const remember = useSignal(false)
  const failed = useSignal<Trouble | null>(null)
  const busy = useSignal(false)
  const enter = async (): Promise<void> => {
    const given = key.value.trim()
    // Anything else cannot stand in a header.
    if (!/^[\x21-\x7e]+$/.test(given)) {
      failed.value = {
        title: 'A key has letters, digits and signs, and no spaces.',
        detail: '',
        marks: '',
        help: null,
      }
      return
    }
    busy.value = true
    const entered = await session.enter(given, remember.value)
    busy.value = false
    if (!entered.ok) failed.value = trouble('This key does not open it', entered.error)
  }
  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          void enter()
        }}
      >
        <h1>Enter your key</h1>
        <label for="key">Key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
          value={key.value}
          onInput={(event) => (key.value = event.currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={remember.value}
            onChange={(event) => (remember.value = event.currentTarget.checked)}
          />{' '}
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
    </main>
  )
}
