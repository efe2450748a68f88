// Files that are dropped anywhere on the page. Whatever is dropped, the page stays.

export interface Takes {
  /** Whether files are taken now. */
  readonly isOpen: () => boolean
  readonly files: (files: readonly File[]) => void
  readonly folder: (name: string) => void
}

export function takeDrops(window: Window, { isOpen, files, folder }: Takes): void {
  const mark = (on: boolean): void => {
    window.document.body.classList.toggle('dropping', on)
  }
  for (const type of ['dragenter', 'dragover'] as const)
    window.addEventListener(type, (event) => {
      if (isPlain(event)) return
      event.preventDefault()
      const taken = holdsFiles(event) && isOpen()
      if (event.dataTransfer) event.dataTransfer.dropEffect = taken ? 'copy' : 'none'
      mark(taken)
    })
  window.addEventListener('dragleave', (event) => {
    // Null: the pointer has left the window, not only one element for another.
    if (event.relatedTarget === null) mark(false)
  })
  window.addEventListener('drop', (event) => {
    mark(false)
    if (isPlain(event)) return
    event.preventDefault()
    if (!event.dataTransfer || !isOpen()) return
    // At once: the list is empty after the event.
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
    const folders = items.flatMap((item) => {
      const entry = item.webkitGetAsEntry()
      return entry?.isDirectory ? [entry.name] : []
    })
    files([...event.dataTransfer.files].filter(({ name }) => !folders.includes(name)))
    for (const name of folders) folder(name)
  })
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

/** Words may be dropped into a field as ever; anything else would make the browser leave the page. */
function isPlain(event: DragEvent): boolean {
  const { target } = event
  const field = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  return field && !holdsFiles(event)
}
