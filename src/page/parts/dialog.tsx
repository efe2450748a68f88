// A modal dialog: takes the focus and returns it. Escape, its button and a click outside close it. Open while it is rendered.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { Button } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The caller removes it. */
  readonly onClose: () => void
  /** `side`: full height at the edge; `tall`: for long content; default: as high as needed. */
  readonly shape?: 'side' | 'tall'
}

export function Dialog({ title, children, onClose, shape }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A press that starts inside and ends outside, as when selecting text, does not close it.
  const pressedBeside = useRef(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Close before unmounting: only then does the browser return the focus.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      // The dialog takes the focus, so that a screen reader starts at its title.
      autofocus
      tabIndex={-1}
      class={['dialog', shape].filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A second Escape makes the browser close it without a cancel event.
      onClose={onClose}
      onPointerDown={(event) => (pressedBeside.current = event.target === event.currentTarget)}
      onClick={(event) => {
        if (event.target === event.currentTarget && pressedBeside.current) onClose()
      }}
    >
      <div class="dialog-room">
        <header>
          <h2 id={titleId}>{title}</h2>
          <Button kind="plain" icon="close" label="Close" onPress={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
