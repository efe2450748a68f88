// A button and the popover it opens. Escape and a click elsewhere close it; the browser returns the focus.

import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'

import { Icon, type IconName } from './icon.tsx'

export interface PopoverProps {
  /** The name of the popover, and of the button if it has no text. */
  readonly label: string
  readonly icon?: IconName
  /** The button's text. A button without text is square. */
  readonly text?: ComponentChildren
  readonly kind?: 'plain'
  readonly class?: string
  /** `menu` if the content is a list of actions; otherwise `dialog`, the default. */
  readonly role?: 'menu' | 'dialog'
  /** Renders the content. Called only while the popover is open. */
  readonly children: (close: () => void) => ComponentChildren
}

export function Popover({
  label,
  icon,
  text,
  kind,
  class: className,
  role = 'dialog',
  children,
}: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = useSignal(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        class={['button', kind, text === undefined && 'bare', className].filter(Boolean).join(' ')}
        popovertarget={id}
        aria-label={text === undefined ? label : undefined}
        title={label}
        aria-haspopup={role}
        aria-expanded={isOpen.value}
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
          isOpen.value = true
          // Its position depends on the size of its content, which is rendered next.
          event.currentTarget.style.visibility = 'hidden'
        }}
        onToggle={(event) => {
          // Remove the content only after closing: the browser can return the focus only while the focused element still exists.
          if (event.newState !== 'open') isOpen.value = false
          else {
            if (button.current) positionPanel(event.currentTarget, button.current)
            keepInWindow(event.currentTarget)
            event.currentTarget.style.visibility = ''
            firstFocusable(event.currentTarget)?.focus()
          }
        }}
      >
        {isOpen.value && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}

function firstFocusable(panel: HTMLElement): HTMLElement | null {
  return (
    panel.querySelector<HTMLElement>('[autofocus], [aria-checked=true], :checked') ??
    panel.querySelector<HTMLElement>('button, input, select, a')
  )
}

/** Moves a panel into the window if it is wider than the space beside its button. It may become wider then, so the edge that it must not cross is fixed. */
function keepInWindow(panel: HTMLElement): void {
  const { left, right } = panel.getBoundingClientRect()
  const isOverStart = left < EDGE_PX
  if (!isOverStart && right <= document.documentElement.clientWidth - EDGE_PX) return
  panel.style.left = isOverStart ? `${EDGE_PX}px` : 'auto'
  panel.style.right = isOverStart ? 'auto' : `${EDGE_PX}px`
}

/** The space between the panel and the button. */
const GAP_PX = 4
/** The space between the panel and the edges of the window. */
const EDGE_PX = 16

/**
 * Positions the panel below the button if it fits there, and otherwise on the side with more space. Not all browsers support CSS
 * anchor positioning yet.
 */
function positionPanel(panel: HTMLElement, button: HTMLElement): void {
  const { left, right } = button.getBoundingClientRect()
  // The panel covers no part of the box that its button is in.
  const { top, bottom } = (button.closest('[data-uncovered]') ?? button).getBoundingClientRect()
  const { innerWidth: width, innerHeight: height } = window
  panel.style.maxHeight = ''
  const roomBelow = height - bottom
  const isBelow = roomBelow >= Math.min(top, panel.offsetHeight + GAP_PX + EDGE_PX)
  const isLeftAligned = left < width - right
  panel.style.top = isBelow ? `${bottom + GAP_PX}px` : 'auto'
  panel.style.bottom = isBelow ? 'auto' : `${height - top + GAP_PX}px`
  panel.style.left = isLeftAligned ? `${Math.max(EDGE_PX, left)}px` : 'auto'
  panel.style.right = isLeftAligned ? 'auto' : `${Math.max(EDGE_PX, width - right)}px`
  panel.style.maxHeight = `${(isBelow ? roomBelow : top) - GAP_PX - EDGE_PX}px`
}
