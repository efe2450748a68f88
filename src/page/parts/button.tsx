// The page's button. It is never `disabled`, because it would then lose the focus; a busy button ignores presses instead.

import type { ComponentChildren, Ref, TargetedMouseEvent } from 'preact'

import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `main` is filled (at most one per view), `plain` has no border, `danger` is red. The default has a border. */
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly isBusy?: boolean
  /** The accessible name and tooltip, if the content is not sufficient. */
  readonly label?: string
  /** The tooltip, if it says more, such as a shortcut. */
  readonly hint?: string
  /** Shown before the text. A button without text is square and needs a label. */
  readonly icon?: IconName
  readonly onPress?: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  readonly class?: string
  readonly id?: string
  /** For a button that opens an element: whether that element is open. */
  readonly isExpanded?: boolean
  /** For a button that opens an element: the ID of that element. */
  readonly controls?: string
  /** What the button opens, if that is a layer above the page. */
  readonly opens?: 'dialog'
  /** For a toggle button: whether it is on. */
  readonly isPressed?: boolean
  readonly buttonRef?: Ref<HTMLButtonElement>
}

export function Button({
  children,
  kind,
  type = 'button',
  isBusy = false,
  label,
  hint,
  icon,
  onPress,
  class: className,
  id,
  isExpanded,
  controls,
  isPressed,
  opens,
  buttonRef = null,
}: ButtonProps) {
  const hasIconOnly = icon !== undefined && children === undefined
  return (
    <button
      ref={buttonRef}
      id={id}
      type={type}
      class={['button', kind, hasIconOnly && 'bare', className].filter(Boolean).join(' ')}
      aria-label={label}
      title={hint ?? label}
      aria-expanded={isExpanded}
      aria-controls={controls}
      aria-pressed={isPressed}
      aria-haspopup={opens}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onPress?.(event)
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
