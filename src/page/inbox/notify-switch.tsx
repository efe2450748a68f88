// The switch for notifications of this browser.

import { useApp } from '../state/app.ts'

export function NotifySwitch() {
  const { notifier } = useApp()
  if (!notifier.isAvailable) return null
  return (
    <div class="notify">
      <label class="check">
        <input
          type="checkbox"
          checked={notifier.isOn.value}
          onChange={(event) => {
            const { checked } = event.currentTarget
            // The box shows the state that was reached, also if the browser refuses.
            event.currentTarget.checked = notifier.isOn.peek()
            void notifier.switchTo(checked)
          }}
        />
        Notify me on this device
      </label>
      <p class="quiet" role="status">
        {notifier.problem.value}
      </p>
    </div>
  )
}
