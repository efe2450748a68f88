// The queued message, which is sent when the current answer ends.

import { useApp } from '../state/app.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../parts/button.tsx'

export function QueuedNotice({ focusBox }: { readonly focusBox: () => void }) {
  const { composer } = useApp()
  const queuedMessage = composer.queuedMessage.value
  if (!queuedMessage) return null
  const fileCount = queuedMessage.chips.length
  return (
    <div class="next" role="group" aria-label="Queued">
      <strong>Next:</strong>
      <span class="text" dir="auto" title={queuedMessage.text}>
        {queuedMessage.text}
      </span>
      {fileCount > 0 && <small>{counted(fileCount, 'file')}</small>}
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
