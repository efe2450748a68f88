// The page's button. Never `disabled`, which would lose the focus; a busy button ignores presses.

import type { ComponentChildren, Ref, TargetedMouseEvent } from 'preact'

import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `main`: filled, one per view; `plain`: no border; default: bordered. */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly busy?: boolean
  /** Accessible name and tooltip, if the content is not enough. */
  readonly label?: string
  /** Shown before the text. A button without text is square and needs a label. */
  readonly icon?: IconName
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  readonly class?: string
  /** For a button that opens something: whether it is open. */
  readonly expanded?: boolean
  /** The id of the element it opens. */
  readonly controls?: string
  /** For a toggle button. */
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
