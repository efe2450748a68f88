// Shows the toasts above everything else and announces them. The store controls how long each toast is shown.

import { useEffect, useRef } from 'preact/hooks'

import type { Toasts } from '../state/frame/toasts.ts'
import { Button } from './button.tsx'

export function ToastRegion({ toasts }: { readonly toasts: Toasts }) {
  const region = useRef<HTMLDivElement>(null)
  const list = toasts.list.value
  // The layer opened last is on top, so the popover is reopened: a dialog opened since would cover it.
  useEffect(() => {
    const element = region.current
    if (!element) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (list.length > 0) element.showPopover()
    if (list.length === 0) return
    // Keyboard users may need many presses to reach a toast's button.
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') toasts.restart()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [list.length])
  return (
    <div
      ref={region}
      popover="manual"
      id="toasts"
      // The region is a landmark, so that keyboard users can reach its buttons.
      role="region"
      aria-label="Notices"
      onPointerEnter={toasts.pause}
      onPointerLeave={toasts.resume}
      onFocusCapture={toasts.pause}
      onBlurCapture={toasts.resume}
    >
      <div role="status" aria-label="Notices">
        {list.map((toast) => (
          <div key={toast.id} class={toast.isError ? 'toast bad' : 'toast'}>
            <span dir="auto">{toast.text}</span>
            {toast.action && <Button onPress={() => toasts.runAction(toast.id)}>{toast.action.label}</Button>}
            <Button kind="plain" icon="close" label="Dismiss" onPress={() => toasts.close(toast.id)} />
          </div>
        ))}
      </div>
    </div>
  )
}
