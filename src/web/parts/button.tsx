// The one button. Never `disabled`: that would lose the focus; a busy one does nothing when pressed.

import type { ComponentChildren, TargetedMouseEvent } from 'preact'

export interface ButtonProps {
  readonly children: ComponentChildren
  /** `main`: filled, one in a view; `plain`: without a frame; else with one. */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly busy?: boolean
  /** What a reader of the screen hears, where the content does not say it. */
  readonly label?: string
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  readonly class?: string
}

export function Button({
  children,
  kind,
  type = 'button',
  busy = false,
  label,
  onPress,
  class: more,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={['button', kind, more].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onPress?.(event)
      }}
    >
      {children}
    </button>
  )
}
