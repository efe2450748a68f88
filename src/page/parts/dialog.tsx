// A modal dialog, open while it is rendered. It takes the focus and returns it. Escape, its close button and a click on the
// backdrop close it.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { Button } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Called when the user closes the dialog. The caller must stop rendering it. */
  readonly onClose: () => void
  /**
   * `side` is a full-height dialog at the edge whose content has the header, `tall` is for long content, and `palette` has no header. By default the dialog is as
   * high as its content.
   */
  readonly shape?: 'side' | 'tall' | 'palette'
}

export function Dialog({ title, children, onClose, shape }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A press that starts inside and ends on the backdrop, as when selecting text, does not close the dialog.
  const pressStartedOnBackdrop = useRef(false)
  const hasHeader = shape === undefined || shape === 'tall'
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Close the dialog before it unmounts; otherwise the browser does not return the focus.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      // The dialog itself takes the focus, so that a screen reader starts with its title.
      autofocus
      tabIndex={-1}
      class={['dialog', shape].filter(Boolean).join(' ')}
      {...(hasHeader ? { 'aria-labelledby': titleId } : { 'aria-label': title })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // On a second Escape the browser closes the dialog without a cancel event.
      onClose={onClose}
      onPointerDown={(event) => (pressStartedOnBackdrop.current = event.target === event.currentTarget)}
      onClick={(event) => {
        if (event.target === event.currentTarget && pressStartedOnBackdrop.current) onClose()
      }}
    >
      <div class="dialog-room">
        {hasHeader && (
          <header>
            <h2 id={titleId}>{title}</h2>
            <Button kind="plain" icon="close" label="Close" onPress={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
