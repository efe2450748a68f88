// Copies text to the clipboard. Knows no view.

/** Removes control characters: in a terminal, some end the paste and the rest runs as typed. */
export function pasteable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, '')
}

/** Whether the text was copied. Without the Clipboard API (plain HTTP, a refusal) it copies a selection. */
export async function copyText(copied: string): Promise<boolean> {
  const text = pasteable(copied)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
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
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
