// Hands bytes to the browser's downloads. They are plain bytes to it, so that it never opens them.

export function saveAs(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
