// Files that are dropped anywhere on the page, or pasted into the message. Whatever is dropped, the page stays.

/**
 * @param {HTMLTextAreaElement} message
 * @param {object} takes
 * @param {() => boolean} takes.isOpen whether files are taken now
 * @param {(files: readonly File[]) => void} takes.files
 * @param {(name: string) => void} takes.folder
 */
export function takeDrops(message, takes) {
  const holdsFiles = (/** @type {DragEvent} */ { dataTransfer }) =>
    dataTransfer?.types.includes('Files') ?? false
  // Words may be dropped into a field as ever; anything else would make the browser leave the page.
  const isPlain = (/** @type {DragEvent} */ event) =>
    (event.target === message || event.target instanceof HTMLInputElement) && !holdsFiles(event)
  const mark = (/** @type {boolean} */ on) => document.body.classList.toggle('dropping', on)

  for (const type of /** @type {const} */ (['dragenter', 'dragover']))
    addEventListener(type, (event) => {
      if (isPlain(event)) return
      event.preventDefault()
      const taken = holdsFiles(event) && takes.isOpen()
      if (event.dataTransfer) event.dataTransfer.dropEffect = taken ? 'copy' : 'none'
      mark(taken)
    })
  addEventListener('dragleave', (event) => {
    // Null: the pointer has left the window, not only one element for another.
    if (event.relatedTarget === null) mark(false)
  })
  addEventListener('drop', (event) => {
    mark(false)
    if (isPlain(event)) return
    event.preventDefault()
    if (!event.dataTransfer || !takes.isOpen()) return
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
    const folders = items.flatMap((item) => {
      const entry = item.webkitGetAsEntry()
      return entry?.isDirectory ? [entry.name] : []
    })
    takes.files([...event.dataTransfer.files].filter(({ name }) => !folders.includes(name)))
    for (const name of folders) takes.folder(name)
  })
  message.addEventListener('paste', (event) => {
    const { clipboardData: given } = event
    // A table brings its words and a picture of them: the words are meant.
    if (!given || given.files.length === 0 || given.types.includes('text/plain')) return
    event.preventDefault()
    if (takes.isOpen()) takes.files([...given.files])
  })
}
