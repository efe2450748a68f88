// A button and what it opens beside itself, over everything else. Escape and a click elsewhere close it; the browser gives
// the focus back.

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'

import { Icon, type IconName } from './icon.tsx'

export interface PopoverProps {
  /** What the button is called where `text` does not say it. */
  readonly label: string
  readonly icon?: IconName
  /** The button's words; without them it is square. */
  readonly text?: ComponentChildren
  readonly kind?: 'plain'
  readonly class?: string
  /** `menu` where its content is a list of things to do. */
  readonly role?: 'menu' | 'dialog'
  /** Drawn anew at each opening, and only while it is open. */
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
          // Only now: the browser gives the focus back while what has it is still there.
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

/** Beside the button, on the side that has more room: anchors of CSS are not in every browser yet. */
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
