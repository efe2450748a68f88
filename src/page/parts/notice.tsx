// An error message with the one button that helps.

import type { ComponentChildren } from 'preact'

import type { Trouble } from '../lib/failure.ts'
import { Button } from './button.tsx'

const LABELS = { key: 'Enter the key', new: 'Start a new thread' } as const

export interface NoticeProps {
  readonly trouble: Trouble
  /** Runs the action that `trouble.help` names. If it is missing, no button is shown. */
  readonly onRemedy?: (remedy: NonNullable<Trouble['remedy']>) => void
  /** The label of the retry button. */
  readonly retryLabel?: string
  /** Shown next to the button, for example a button that dismisses the message. */
  readonly children?: ComponentChildren
}

export function Notice({ trouble, onRemedy, retryLabel = 'Try again', children }: NoticeProps) {
  const { title, detail, supportCodes, remedy } = trouble
  const button = remedy && onRemedy && (
    <Button onPress={() => onRemedy(remedy)}>{remedy === 'again' ? retryLabel : LABELS[remedy]}</Button>
  )
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      {detail && <p dir="auto">{detail}</p>}
      {(button || children) && (
        <div class="ways">
          {button}
          {children}
        </div>
      )}
      {supportCodes && (
        <details>
          <summary>Details</summary>
          <small>{supportCodes}</small>
        </details>
      )}
    </div>
  )
}
