// Asks before all versions of a thread are deleted.

import { counted } from '../../lib/counted.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useApp } from '../state/app.ts'

export function DeleteDialog() {
  const { threadToDelete } = useApp()
  const thread = threadToDelete.value
  if (!thread) return null
  const close = (): void => void (threadToDelete.value = null)
  return (
    <Dialog title={`Delete “${thread.title}”?`} onClose={close}>
      <p>This also deletes its {counted(thread.otherVersions, 'other version')}.</p>
      <footer>
        <Button onPress={close}>Cancel</Button>
        <Button
          kind="danger"
          onPress={() => {
            close()
            thread.remove()
          }}
        >
          Delete
        </Button>
      </footer>
    </Dialog>
  )
}
