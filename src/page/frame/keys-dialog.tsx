// All shortcuts, and the switch for single-key shortcuts.

import { useApp } from '../state/app.ts'
import { listed } from '../actions/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts } = useApp()
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {listed(mod).map(({ keys, does, single }) => (
          <div key={keys}>
            <dt>{does}</dt>
            <dd class={single && !shortcuts.singles.value ? 'off' : undefined}>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts.singles.value}
          onChange={(event) => shortcuts.allowSingles(event.currentTarget.checked)}
        />
        Single-key shortcuts: / and ?
      </label>
    </Dialog>
  )
}
