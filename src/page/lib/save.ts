// Saves bytes as a download. Never opens them.

import { DOWNLOAD_URL_LIFETIME_MS } from './limits.ts'

export function saveAsDownload(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  // No browser runs a file of this media type.
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_URL_LIFETIME_MS)
}
