// The main button of the message box: Send, Queue while an answer is running, Uploading while files are uploading, and
// Stop if there is nothing to send. It is always the same element, so that it keeps the focus.

import type { ComponentChildren } from 'preact'

import { TOUCH_SCREEN, useMedia } from '../lib/media.ts'
import { Button } from '../parts/button.tsx'

export interface SendButtonProps {
  readonly isAnswering: boolean
  readonly hasContent: boolean
  readonly isUploading: boolean
  /** Whether the message cannot be sent, because a file could not be uploaded. */
  readonly hasFailed: boolean
  /** Whether a card of the conversation has the view's main button. */
  readonly isUserNeeded: boolean
  readonly onStop: () => void
  /** Shown between the buttons that stop and send. */
  readonly children: ComponentChildren
}

export function SendButton({
  isAnswering,
  hasContent,
  isUploading,
  hasFailed,
  isUserNeeded,
  onStop,
  children,
}: SendButtonProps) {
  const isTouch = useMedia(TOUCH_SCREEN)
  // On a touch screen, these keys do something else or do not exist.
  const withKey = (text: string, key: string) => (isTouch ? {} : { hint: `${text} (${key})` })
  const stop = (key: string) => (
    <Button key={key} icon="stop" class="stop" onPress={onStop} {...withKey('Stop', 'Esc')}>
      <span class="word">Stop</span>
    </Button>
  )
  if (isAnswering && !hasContent) return <>{stop('main')}</>
  const text = isUploading ? 'Uploading…' : isAnswering ? 'Queue' : 'Send'
  const isMain = hasContent && !isUploading && !hasFailed && !isUserNeeded
  return (
    <>
      {isAnswering && stop('stop')}
      {children}
      <Button
        key="main"
        {...(isMain ? { kind: 'main' as const } : {})}
        {...withKey(text, 'Enter')}
        type="submit"
        icon="send"
        class={
          isUploading
            ? 'send uploading'
            : !hasContent || hasFailed
              ? 'send idle'
              : isAnswering
                ? 'send queue'
                : 'send'
        }
      >
        <span class="word">{text}</span>
      </Button>
    </>
  )
}
