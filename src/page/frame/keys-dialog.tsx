// Lists all shortcuts, with a switch for single-key shortcuts.

import { useApp } from '../state/app.ts'
import { listShortcuts, modifierKey } from '../actions/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts } = useApp()
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {listShortcuts(modifierKey()).map(({ keys, description, isSingleKey }) => (
          <div key={keys}>
            <dt>{description}</dt>
            <dd class={isSingleKey && !shortcuts.singleKeys.value ? 'caps off' : 'caps'}>
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
          checked={shortcuts.singleKeys.value}
          onChange={(event) => shortcuts.allowSingleKeys(event.currentTarget.checked)}
        />
        Single-key shortcuts: / and ?
      </label>
    </Dialog>
  )
}
