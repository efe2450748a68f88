// The list of the thread's files, or one of them. Loaded when the panel is first opened.

import { nameOf } from '../run/files.ts'
import { useApp } from '../state/app.ts'
import { FileList } from './file-list.tsx'
import { FileView } from './file-view.tsx'

export function PanelContent() {
  const { panel } = useApp()
  const path = panel.shownPath.value
  if (path === null) return <FileList />
  const info = panel.files.value?.find((file) => file.path === path) ?? null
  return <FileView key={path} path={path} info={info} name={nameOf(path)} />
}
