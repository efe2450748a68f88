// What went wrong, in words for people, with the one button that helps.

import type { Trouble } from '../lib/failure.ts'
import { Button } from './button.tsx'

const WORDS = { again: 'Try again', key: 'Enter the key', new: 'Start anew' } as const

export interface NoticeProps {
  readonly trouble: Trouble
  /** Does what `trouble.help` names; without it there is no button. */
  readonly onHelp?: (help: NonNullable<Trouble['help']>) => void
}

export function Notice({ trouble: { title, detail, marks, help }, onHelp }: NoticeProps) {
  return (
    <div class="notice bad" role="alert">
      <strong>{title}</strong>
      {detail && <p>{detail}</p>}
      {marks && <small>{marks}</small>}
      {help && onHelp && <Button onPress={() => onHelp(help)}>{WORDS[help]}</Button>}
    </div>
  )
}
