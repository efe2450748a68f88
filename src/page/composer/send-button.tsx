// The main button of the message box: Send, Queue while an answer is written, Uploading while files are on their way, and Stop if there
// is nothing to send. It stays the same element, so that the focus stays on it.

import { Button } from '../parts/button.tsx'

export interface SendButtonProps {
  readonly isAnswering: boolean
  readonly hasContent: boolean
  readonly isUploading: boolean
  /** Whether a card of the conversation has the view's main button. */
  readonly isUserNeeded: boolean
  readonly onStop: () => void
}

export function SendButton({ isAnswering, hasContent, isUploading, isUserNeeded, onStop }: SendButtonProps) {
  const stop = (key: string) => (
    <Button key={key} icon="stop" class="stop" onPress={onStop}>
      <span class="word">Stop</span>
    </Button>
  )
  if (isAnswering && !hasContent) return <>{stop('main')}</>
  const isMain = hasContent && !isUploading && !isUserNeeded
  return (
    <>
      {isAnswering && stop('stop')}
      <Button
        key="main"
        {...(isMain ? { kind: 'main' as const } : {})}
        type="submit"
        icon="send"
        class={isUploading ? 'send uploading' : hasContent ? 'send' : 'send idle'}
      >
        <span class="word">{isUploading ? 'Uploading…' : isAnswering ? 'Queue' : 'Send'}</span>
      </Button>
    </>
  )
}
