// A dialog over the page: it takes the focus and gives it back, and Escape, its button and a click beside it close it.
// It is open for as long as it is drawn.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { Button } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Whoever draws it takes it away. */
  readonly onClose: () => void
  /** `side`: the whole height at the edge; `tall`: for long content; else as high as it needs. */
  readonly shape?: 'side' | 'tall'
}

export function Dialog({ title, children, onClose, shape }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A press that began inside and ended beside it, as when text is marked, closes nothing.
  const pressedBeside = useRef(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Closed before it goes: only so does the browser give the focus back.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      // The dialog itself has the focus first: it is read from its title on.
      autofocus
      tabIndex={-1}
      class={['dialog', shape].filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The browser closes it without asking when Escape comes twice.
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
