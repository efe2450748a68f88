// The files of the open thread, and the file being viewed. The list is updated while an answer is running. Renders nothing.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { FileInfo } from '../../../thread/api.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import type { Attachments } from './attachments.ts'
import type { Conversation } from '../chat/conversation-api.ts'

export interface Panel {
  readonly isOpen: ReadonlySignal<boolean>
  /** The path of the file being viewed, or null while the list is shown. */
  readonly shownPath: ReadonlySignal<string | null>
  /** The files of the thread; null until they have been read. */
  readonly files: ReadonlySignal<readonly FileInfo[] | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Opens the panel with a file, or with the list if `path` is null. */
  show(path: string | null): void
  /** Returns from a file to the list. */
  readonly back: () => void
  /** The file from which `back` returned to the list; null if the list was opened directly. */
  readonly returnedFrom: ReadonlySignal<string | null>
  readonly close: () => void
  refresh(): Promise<void>
  /** Deletes a file from the thread. Returns null if nobody is signed in. */
  remove(file: FileInfo): Promise<Result<unknown, ClientFailure> | null>
}

export interface PanelWiring {
  readonly client: ReadonlySignal<Client | null>
  readonly conversation: Pick<Conversation, 'threadId' | 'activeTurn' | 'state'>
  readonly attachments: Pick<Attachments, 'chips'>
}

export function createPanel({ client, conversation, attachments }: PanelWiring): Panel {
  const isOpen = signal(false)
  const shownPath = signal<string | null>(null)
  const returnedFrom = signal<string | null>(null)
  const files = signal<readonly FileInfo[] | null>(null)
  const trouble = signal<Trouble | null>(null)
  let isReading = false
  let mustRepeat = false
  let lastFingerprint = ''

  async function refresh(): Promise<void> {
    const id = conversation.threadId.peek()
    const activeClient = client.peek()
    if (!activeClient || id === null) return
    mustRepeat = isReading
    if (isReading) return
    isReading = true
    const result = await activeClient.listFiles(id)
    isReading = false
    if (id === conversation.threadId.peek() && activeClient === client.peek()) {
      trouble.value = result.ok ? null : describeFailure('The files could not be listed', result.error)
      if (result.ok) files.value = result.value
    } else mustRepeat = true
    if (mustRepeat) await refresh()
  }

  // When the thread changes, clear everything that belongs to the previous one.
  let lastThreadId: string | null = null
  effect(() => {
    const id = conversation.threadId.value
    if (id === lastThreadId) return
    // The panel stays open when a new conversation is assigned its thread.
    if (lastThreadId !== null) isOpen.value = false
    shownPath.value = null
    lastThreadId = id
    files.value = null
    trouble.value = null
  })
  // Refresh the list when the answer writes or presents files, when it ends, and when attachments change.
  effect(() => {
    const id = conversation.threadId.value
    const run = conversation.activeTurn.value?.run.value
    const written = `${run?.runId} ${run?.sizes.size} ${run?.artifacts.length} ${sizesIn(run?.sizes)}`
    const attached = attachments.chips.value.map(({ uploaded }) => uploaded?.path ?? '').join('/')
    const fingerprint = id === null ? '' : `${id} ${written} ${attached}`
    if (fingerprint === lastFingerprint) return
    lastFingerprint = fingerprint
    if (id !== null && client.value) void refresh()
  })

  return {
    isOpen,
    shownPath,
    files,
    trouble,
    returnedFrom,
    back() {
      returnedFrom.value = shownPath.peek()
      shownPath.value = null
    },
    show(path) {
      returnedFrom.value = null
      shownPath.value = path
      isOpen.value = true
    },
    close() {
      isOpen.value = false
    },
    refresh,
    async remove(file) {
      const result = (await client.peek()?.json('DELETE', file.href)) ?? null
      if (result?.ok) files.value = (files.peek() ?? []).filter(({ path }) => path !== file.path)
      if (result?.ok && shownPath.peek() === file.path) shownPath.value = null
      return result
    },
  }
}

function sizesIn(sizes: ReadonlyMap<string, number> | undefined): number {
  let total = 0
  for (const bytes of sizes?.values() ?? []) total += bytes
  return total
}
