// Accepts files dropped anywhere on the page, and keeps the browser from opening them.

export interface Takes {
  /** Whether files are accepted now. */
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
    // Null when the pointer leaves the window rather than one element.
    if (event.relatedTarget === null) mark(false)
  })
  window.addEventListener('drop', (event) => {
    mark(false)
    if (isPlain(event)) return
    event.preventDefault()
    if (!event.dataTransfer || !isOpen()) return
    // Read now: the browser empties the list after the event.
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

/** Dropped text may go into a field as usual. Anything else would make the browser navigate away. */
function isPlain(event: DragEvent): boolean {
  const { target } = event
  const field = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  return field && !holdsFiles(event)
}
