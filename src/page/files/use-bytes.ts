// Fetches files with the key and saves them or shows them as pictures. Never opens one.

import { useSignal, type ReadonlySignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { trouble } from '../lib/failure.ts'
import { save } from '../lib/save.ts'
import { nameOf } from '../run/files.ts'

export interface Download {
  /** The failure; '' if there is none. */
  readonly why: ReadonlySignal<string>
  readonly busy: ReadonlySignal<boolean>
  start(path: string, href: string): Promise<void>
}

export function useDownload(): Download {
  const { session, say } = useApp()
  const why = useSignal('')
  const busy = useSignal(false)
  return {
    why,
    busy,
    async start(path, href) {
      const by = session.client.peek()
      if (!by || busy.peek()) return
      busy.value = true
      const got = await by.bytes(href)
      busy.value = false
      why.value = got.ok ? '' : `The file could not be downloaded. ${trouble('', got.error).detail}`
      if (!got.ok) return
      save(got.value, nameOf(path))
      say(`${nameOf(path)} is downloaded.`)
    },
  }
}
