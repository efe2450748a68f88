// Exports a thread as a download. The code that does it is loaded when it is first needed.

import type { ExportFormat } from '../export/export-thread.ts'
import { describeFailure } from '../lib/failure.ts'
import { saveAsDownload } from '../lib/save.ts'
import { useApp } from '../state/app.ts'

export function useExport(): (id: string, title: string, format: ExportFormat) => Promise<void> {
  const { session, toasts, announce } = useApp()
  return async (id, title, format) => {
    const client = session.client.peek()
    if (!client) return
    const fail = (reason: string): void =>
      void toasts.show({ text: `“${title}” could not be exported. ${reason}`, isError: true })
    try {
      const { exportThread } = await import('../export/export-thread.ts')
      const result = await exportThread(client, id, title, format)
      if (!result.ok) {
        fail(describeFailure('', result.error).detail)
        return
      }
      saveAsDownload(result.value.bytes, result.value.name)
      announce(`${result.value.name} is downloaded.`)
    } catch {
      // The code could not be loaded.
      fail('You may be offline.')
    }
  }
}
