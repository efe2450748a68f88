// Draws the toasts above everything else and announces them. The store controls their time.

import { useEffect, useRef } from 'preact/hooks'

import type { Toasts } from '../state/frame/toasts.ts'
import { Button } from './button.tsx'

export function ToastRoom({ toasts }: { readonly toasts: Toasts }) {
  const room = useRef<HTMLDivElement>(null)
  const list = toasts.list.value
  // The topmost layer is the one opened last: a dialog opened since would cover it.
  useEffect(() => {
    const shown = room.current
    if (!shown) return
    if (shown.matches(':popover-open')) shown.hidePopover()
    if (list.length > 0) shown.showPopover()
  }, [list.length])
  return (
    <div
      ref={room}
      popover="manual"
      id="toasts"
      // A landmark, so that its buttons can be reached by keyboard.
      role="region"
      aria-label="Notices"
      onPointerEnter={toasts.pause}
      onPointerLeave={toasts.resume}
      onFocusCapture={toasts.pause}
      onBlurCapture={toasts.resume}
    >
      <div role="status" aria-label="Notices">
        {list.map((toast) => (
          <div key={toast.id} class={toast.bad ? 'toast bad' : 'toast'}>
            <span dir="auto">{toast.text}</span>
            {toast.action && <Button onPress={() => toasts.act(toast.id)}>{toast.action.label}</Button>}
            <Button kind="plain" icon="close" label="Dismiss" onPress={() => toasts.close(toast.id)} />
          </div>
        ))}
      </div>
    </div>
  )
}
