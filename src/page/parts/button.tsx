// The one button. Never `disabled`: that would lose the focus; a busy one does nothing when pressed.

import type { ComponentChildren, Ref, TargetedMouseEvent } from 'preact'

import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `main`: filled, one in a view; `plain`: without a frame; else with one. */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly busy?: boolean
  /** What a reader of the screen hears, and a tooltip, where the content does not say it. */
  readonly label?: string
  /** Before the words; without words the button is square and needs a label. */
  readonly icon?: IconName
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  readonly class?: string
  /** Of a button that opens something: whether it is open. */
  readonly expanded?: boolean
  /** The id of what it opens. */
  readonly controls?: string
  /** Of a button that stays down. */
  readonly pressed?: boolean
  readonly buttonRef?: Ref<HTMLButtonElement>
}

export function Button({
  children,
  kind,
  type = 'button',
  busy = false,
  label,
  icon,
  onPress,
  class: more,
  expanded,
  controls,
  pressed,
  buttonRef = null,
}: ButtonProps) {
  const bare = icon !== undefined && children === undefined
  return (
    <button
      ref={buttonRef}
      type={type}
      class={['button', kind, bare && 'bare', more].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
      aria-expanded={expanded}
      aria-controls={controls}
      aria-pressed={pressed}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onPress?.(event)
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
