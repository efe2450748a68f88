// A button and the popover it opens. Escape and a click elsewhere close it; the browser returns the focus.

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'

import { Icon, type IconName } from './icon.tsx'

export interface PopoverProps {
  /** The accessible name, if `text` is not enough. */
  readonly label: string
  readonly icon?: IconName
  /** The button's text. Without it the button is square. */
  readonly text?: ComponentChildren
  readonly kind?: 'plain'
  readonly class?: string
  /** `menu` if the content is a list of actions. */
  readonly role?: 'menu' | 'dialog'
  /** Rendered at each opening, and only while open. */
  readonly children: (close: () => void) => ComponentChildren
}

export function Popover({ label, icon, text, kind, class: more, role = 'dialog', children }: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const open = useSignal(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        class={['button', kind, text === undefined && 'bare', more].filter(Boolean).join(' ')}
        popovertarget={id}
        aria-label={text === undefined ? label : undefined}
        title={label}
        aria-haspopup={role}
        aria-expanded={open.value}
      >
        {icon && <Icon name={icon} />}
        {text}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="popover"
        role={role}
        aria-label={label}
        onBeforeToggle={(event) => {
          if (event.newState !== 'open') return
          open.value = true
          if (button.current) position(event.currentTarget, button.current)
        }}
        onToggle={(event) => {
          if (event.newState === 'open') firstOf(event.currentTarget)?.focus()
          // Only now: the browser returns the focus while the focused element still exists.
          else open.value = false
        }}
      >
        {open.value && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}

function firstOf(panel: HTMLElement): HTMLElement | null {
  return (
    panel.querySelector<HTMLElement>('[autofocus], [aria-checked=true]') ??
    panel.querySelector<HTMLElement>('button, input, select, a')
  )
}

/** Next to the button, on the side with more space. CSS anchors are not in every browser yet. */
function position(panel: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const gap = 4
  const { innerWidth: width, innerHeight: height } = window
  const below = height - bottom >= top
  const atStart = left < width - right
  panel.style.top = below ? `${bottom + gap}px` : 'auto'
  panel.style.bottom = below ? 'auto' : `${height - top + gap}px`
  panel.style.left = atStart ? `${Math.max(gap, left)}px` : 'auto'
  panel.style.right = atStart ? 'auto' : `${Math.max(gap, width - right)}px`
  panel.style.maxHeight = `${(below ? height - bottom : top) - 3 * gap}px`
}
