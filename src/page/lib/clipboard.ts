// Text into the clipboard. Knows no view.

/** Without controls: in a terminal some of them end what is pasted, and the rest is typed. */
export function pasteable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, '')
}

/** Whether it is there now. Without the browser's own way (plain http, a refusal) a selection is copied, as by hand. */
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
