// Shows a failure with the one button that helps: enter another key, start a new thread, or try again.

import type { Trouble } from '../lib/failure.ts'
import { Notice, type NoticeProps } from '../parts/notice.tsx'
import { useApp } from '../state/app.ts'
import { atThread } from '../state/frame/route.ts'

export interface FailureNoticeProps extends Pick<NoticeProps, 'retryLabel' | 'children'> {
  /** The failure to show, or null if nothing is wrong. */
  readonly trouble: Trouble | null
  readonly onAgain: () => void
}

export function FailureNotice({ trouble, onAgain, ...noticeProps }: FailureNoticeProps) {
  const { route, session } = useApp()
  if (!trouble) return null
  const help = (kind: NonNullable<Trouble['help']>): void => {
    if (kind === 'key') session.isAskingForKey.value = true
    else if (kind === 'new') route.go(atThread(null))
    else onAgain()
  }
  return <Notice trouble={trouble} onHelp={help} {...noticeProps} />
}
