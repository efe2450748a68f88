// A button that copies text and says whether it was copied.

import { useEffect, useState } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { copyText } from '../lib/clipboard.ts'
import { COPIED_LABEL_MS } from '../lib/limits.ts'
import { Button } from '../parts/button.tsx'

export interface CopyButtonProps {
  readonly label: string
  /** Shown in the button. */
  readonly caption: string
  /** The text as it was written, not as it is displayed. */
  readonly text: () => string | Promise<string>
}

export function CopyButton({ label, caption, text }: CopyButtonProps) {
  const { announce } = useApp()
  const [outcome, setOutcome] = useState('')
  useEffect(() => {
    if (outcome === '') return
    const timer = setTimeout(() => setOutcome(''), COPIED_LABEL_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    const message = (await copyText(await text())) ? 'Copied' : 'Not copied'
    setOutcome(message)
    announce(message)
  }
  return (
    <Button
      kind="plain"
      icon={outcome === 'Copied' ? 'check' : 'copy'}
      label={outcome || label}
      onPress={() => void copy()}
    >
      {outcome || caption}
    </Button>
  )
}
