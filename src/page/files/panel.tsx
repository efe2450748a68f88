// The files of the open thread, next to the conversation or over it on a narrow screen. Shows the list or one file.

import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { useMedia, WIDE } from '../lib/media.ts'
import { somethingIsOnTop } from '../lib/topmost.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { nameOf } from '../run/files.ts'
import { FileList } from './file-list.tsx'
import { FileView } from './file-view.tsx'

export function FilesPanel() {
  const { panel } = useApp()
  const wide = useMedia(WIDE)
  if (!panel.open.value) return null
  return wide ? (
    <Beside />
  ) : (
    <Dialog title="Files" shape="side" onClose={panel.close}>
      <div class="files-room">
        <Content />
      </div>
    </Dialog>
  )
}

function Beside() {
  const { panel } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  // Read before anything in the panel renders: a file shown at once takes the focus.
  const from = useRef(document.activeElement)
  useLayoutEffect(() => {
    if (!heading.current?.closest('aside')?.contains(document.activeElement)) heading.current?.focus()
    return () => {
      const back = from.current
      // Only if closing would lose the focus and the button that opened the panel still exists.
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])
  return (
    <aside
      id="files-panel"
      aria-label="Files"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || somethingIsOnTop()) return
        event.stopPropagation()
        panel.close()
      }}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          Files
        </h2>
        <Button kind="plain" icon="close" label="Close the files" onPress={panel.close} />
      </header>
      <div class="files-room">
        <Content />
      </div>
    </aside>
  )
}

function Content() {
  const { panel } = useApp()
  const path = panel.shown.value
  if (path === null) return <FileList />
  const info = panel.files.value?.find((file) => file.path === path) ?? null
  return (
    <>
      <Button kind="plain" icon="chevron-left" class="back" onPress={panel.back}>
        All files
      </Button>
      <FileView key={path} path={path} info={info} name={nameOf(path)} />
    </>
  )
}
