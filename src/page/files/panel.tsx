// Shows the files of the open thread, as a list or one at a time. Next to the conversation, or over it on a narrow screen.

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { useMedia, WIDE_SCREEN } from '../lib/media.ts'
import { hasOpenLayer } from '../lib/open-layers.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazyComponent } from '../parts/lazy.tsx'
import { nameOf } from '../run/files.ts'
import { FileName } from './file-name.tsx'

const PanelContent = lazyComponent(async () => (await import('./panel-content.tsx')).PanelContent, 6)

export function FilesPanel() {
  const { panel } = useApp()
  const isWide = useMedia(WIDE_SCREEN)
  const heading = useRef<HTMLHeadingElement>(null)
  if (!panel.isOpen.value) return null
  return isWide ? (
    <SidePanel />
  ) : (
    <Dialog title="Files" shape="side" onClose={panel.close}>
      <PanelHead heading={heading} />
      <div class="files-room">
        <PanelContent />
      </div>
    </Dialog>
  )
}

function SidePanel() {
  const { panel } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  // Read this before the panel's content renders: a file that is shown immediately takes the focus.
  const focusedBefore = useRef(document.activeElement)
  useLayoutEffect(() => {
    if (!heading.current?.closest('aside')?.contains(document.activeElement)) heading.current?.focus()
    return () => {
      const previous = focusedBefore.current
      // The element that had the focus may have disappeared in the meantime.
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus()
    }
  }, [])
  return (
    <aside
      id="files-panel"
      aria-label="Files"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || hasOpenLayer()) return
        event.stopPropagation()
        panel.close()
      }}
    >
      <PanelHead heading={heading} />
      <div class="files-room">
        <PanelContent />
      </div>
    </aside>
  )
}

/** Names the list, or the file that is shown. A shown file takes the focus, because the pressed button has disappeared. */
function PanelHead({ heading }: { readonly heading: RefObject<HTMLHeadingElement | null> }) {
  const { panel } = useApp()
  const path = panel.shownPath.value
  useLayoutEffect(() => {
    if (path !== null) heading.current?.focus()
  }, [path])
  return (
    <header class="files-head">
      {path !== null && (
        <Button kind="plain" icon="chevron-left" class="back" label="All files" onPress={panel.back} />
      )}
      <h2 ref={heading} tabIndex={-1}>
        {path === null ? 'Files' : <FileName name={nameOf(path)} />}
      </h2>
      <Button kind="plain" icon="close" label="Close the files" onPress={panel.close} />
    </header>
  )
}
