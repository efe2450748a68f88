// Accepts files dropped anywhere on the page, and keeps the browser from opening them.

export interface DropHandlers {
  /** Whether files are accepted now. */
  readonly canAccept: () => boolean
  readonly onFiles: (files: readonly File[]) => void
  readonly onFolder: (name: string) => void
}

export function acceptDrops(window: Window, { canAccept, onFiles, onFolder }: DropHandlers): void {
  const showDropTarget = (isShown: boolean): void => {
    window.document.body.classList.toggle('dropping', isShown)
  }
  for (const type of ['dragenter', 'dragover'] as const)
    window.addEventListener(type, (event) => {
      if (isTextForField(event)) return
      event.preventDefault()
      const isAccepted = hasFiles(event) && canAccept()
      if (event.dataTransfer) event.dataTransfer.dropEffect = isAccepted ? 'copy' : 'none'
      showDropTarget(isAccepted)
    })
  window.addEventListener('dragleave', (event) => {
    // Null if the pointer has left the window, not just one element.
    if (event.relatedTarget === null) showDropTarget(false)
  })
  window.addEventListener('drop', (event) => {
    showDropTarget(false)
    if (isTextForField(event)) return
    event.preventDefault()
    if (!event.dataTransfer || !canAccept()) return
    // Read the list now, because the browser empties it after the event.
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
    const folders = items.flatMap((item) => {
      const entry = item.webkitGetAsEntry()
      return entry?.isDirectory ? [entry.name] : []
    })
    onFiles([...event.dataTransfer.files].filter(({ name }) => !folders.includes(name)))
    for (const name of folders) onFolder(name)
  })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

/** Text dropped on a field is left to the browser. Anything else would make the browser navigate away. */
function isTextForField(event: DragEvent): boolean {
  const { target } = event
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  return isField && !hasFiles(event)
}
