// What went wrong, in words for people, with the one button that helps.

import type { ComponentChildren } from 'preact'

import type { Trouble } from '../lib/failure.ts'
import { Button } from './button.tsx'

const LABELS = { key: 'Enter the key', new: 'Start anew' } as const

export interface NoticeProps {
  readonly trouble: Trouble
  /** Does what `trouble.help` names; without it there is no button. */
  readonly onHelp?: (help: NonNullable<Trouble['help']>) => void
  /** What doing it once more is called here. */
  readonly again?: string
  /** Beside the button: the way out. */
  readonly children?: ComponentChildren
}

export function Notice({ trouble, onHelp, again = 'Try again', children }: NoticeProps) {
  const { title, detail, marks, help } = trouble
  const button = help && onHelp && (
    <Button onPress={() => onHelp(help)}>{help === 'again' ? again : LABELS[help]}</Button>
  )
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      {detail && <p dir="auto">{detail}</p>}
      {marks && <small>{marks}</small>}
      {(button || children) && (
        <div class="ways">
          {button}
          {children}
        </div>
      )}
    </div>
  )
}
