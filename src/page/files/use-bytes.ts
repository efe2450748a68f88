// Downloads a file with the user's key and saves it. Never opens it.

import { useSignal, type ReadonlySignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { describeFailure } from '../lib/failure.ts'
import { saveAsDownload } from '../lib/save.ts'
import { nameOf } from '../run/files.ts'

export interface Download {
  /** Why the last download failed, or '' if it did not fail. */
  readonly error: ReadonlySignal<string>
  readonly busy: ReadonlySignal<boolean>
  start(path: string, href: string): Promise<void>
}

export function useDownload(): Download {
  const { session, announce } = useApp()
  const error = useSignal('')
  const busy = useSignal(false)
  return {
    error,
    busy,
    async start(path, href) {
      const client = session.client.peek()
      if (!client || busy.peek()) return
      busy.value = true
      const result = await client.bytes(href)
      busy.value = false
      error.value = result.ok ? '' : `The file could not be downloaded. ${describeFailure('', result.error).detail}`
      if (!result.ok) return
      saveAsDownload(result.value, nameOf(path))
      announce(`${nameOf(path)} is downloaded.`)
    },
  }
}
