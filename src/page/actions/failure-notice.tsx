// Shows a failure with the one button that helps: enter another key, start a new thread, or try again.

import type { Trouble } from '../lib/failure.ts'
import { Notice, type NoticeProps } from '../parts/notice.tsx'
import { useApp } from '../state/app.ts'
import { threadRoute } from '../state/frame/route.ts'

export interface FailureNoticeProps extends Pick<NoticeProps, 'retryLabel' | 'children'> {
  /** The failure to show, or null if nothing is wrong. */
  readonly trouble: Trouble | null
  readonly onRetry: () => void
}

export function FailureNotice({ trouble, onRetry, ...noticeProps }: FailureNoticeProps) {
  const { route, session } = useApp()
  if (!trouble) return null
  const applyRemedy = (kind: NonNullable<Trouble['remedy']>): void => {
    if (kind === 'key') session.isAskingForKey.value = true
    else if (kind === 'new') route.go(threadRoute(null))
    else onRetry()
  }
  return <Notice trouble={trouble} onRemedy={applyRemedy} {...noticeProps} />
}
