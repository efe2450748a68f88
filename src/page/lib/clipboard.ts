// Copies text to the clipboard. Independent of any view.

/** Removes control characters. In a terminal, some of them end the paste, and the text after them runs as if typed. */
export function pasteable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, '')
}

/** Returns whether the text was copied. If the Clipboard API is unavailable (plain HTTP) or refuses, it copies a selection. */
export async function copyText(source: string): Promise<boolean> {
  const text = pasteable(source)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.className = 'unseen'
  box.setAttribute('aria-hidden', 'true')
  document.body.append(box)
  box.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    box.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
