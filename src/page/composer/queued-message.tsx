// The queued message, which is sent when the current answer ends.

import { useApp } from '../state/app.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../parts/button.tsx'

export function QueuedNotice({ focusBox }: { readonly focusBox: () => void }) {
  const { composer } = useApp()
  const next = composer.queuedMessage.value
  if (!next) return null
  const files = next.chips.length
  return (
    <div class="next" role="group" aria-label="Queued">
      <strong>Next:</strong>
      <span class="text" dir="auto" title={next.text}>
        {next.text}
      </span>
      {files > 0 && <small>{counted(files, 'file')}</small>}
      <Button
        kind="plain"
        icon="pencil"
        label="Edit the queued message"
        onPress={() => {
          composer.editQueued()
          focusBox()
        }}
      />
      <Button
        kind="plain"
        icon="close"
        label="Remove the queued message"
        onPress={() => {
          composer.dropQueued()
          focusBox()
        }}
      />
    </div>
  )
}
