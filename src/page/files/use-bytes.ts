// Files fetched with the key: saved as they are, or made a picture of. Nothing is ever opened.

import { useSignal, type ReadonlySignal } from '@preact/signals'

import { useApp } from '../state/app.ts'
import { trouble } from '../lib/failure.ts'
import { save } from '../lib/save.ts'
import { nameOf } from '../run/files.ts'

export interface Download {
  /** Why it failed; '' nothing is wrong. */
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
      why.value = got.ok ? '' : `It could not be downloaded. ${trouble('', got.error).detail}`
      if (!got.ok) return
      save(got.value, nameOf(path))
      say(`${nameOf(path)} is downloaded.`)
    },
  }
}
