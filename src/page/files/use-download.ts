// Downloads a file with the user's key and saves it. Never opens it.

import { useSignal, type ReadonlySignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { describeFailure } from '../lib/failure.ts'
import { saveAsDownload } from '../lib/save.ts'
import { nameOf } from '../run/files.ts'

export interface Download {
  /** Why the last download failed, or '' if it did not fail. */
  readonly error: ReadonlySignal<string>
  readonly isDownloading: ReadonlySignal<boolean>
  start(path: string, href: string): Promise<void>
}

export function useDownload(): Download {
  const { session, announce } = useApp()
  const error = useSignal('')
  const isDownloading = useSignal(false)
  return {
    error,
    isDownloading,
    async start(path, href) {
      const client = session.client.peek()
      if (!client || isDownloading.peek()) return
      isDownloading.value = true
      const result = await client.bytes(href)
      isDownloading.value = false
      error.value = result.ok
        ? ''
        : `The file could not be downloaded. ${describeFailure('', result.error).detail}`
      if (!result.ok) return
      saveAsDownload(result.value, nameOf(path))
      announce(`${nameOf(path)} is downloaded.`)
    },
  }
}
