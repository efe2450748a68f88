// The files of the open thread, and the file being viewed. The list is updated while an answer is running. Renders nothing.

import { effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import type { FileInfo } from '../../../thread/api.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import type { Attachments } from './attachments.ts'
import type { Conversation } from '../chat/conversation.ts'

export interface Panel {
  readonly open: ReadonlySignal<boolean>
  /** The path of the file being viewed, or null while the list is shown. */
  readonly shown: ReadonlySignal<string | null>
  /** The files of the thread; null until they have been read. */
  readonly files: ReadonlySignal<readonly FileInfo[] | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Opens the panel with a file, or with the list if `path` is null. */
  show(path: string | null): void
  /** Returns from a file to the list. */
  readonly back: () => void
  /** The file from which `back` returned to the list; null if the list was opened directly. */
  readonly came: ReadonlySignal<string | null>
  readonly close: () => void
  refresh(): Promise<void>
  /** Deletes a file from the thread. Returns null if nobody is signed in. */
  remove(file: FileInfo): Promise<Result<unknown, ClientFailure> | null>
}

export interface PanelWiring {
  readonly client: ReadonlySignal<Client | null>
  readonly conversation: Pick<Conversation, 'threadId' | 'active' | 'state'>
  readonly attachments: Pick<Attachments, 'chips'>
}

export function createPanel({ client, conversation, attachments }: PanelWiring): Panel {
  const open = signal(false)
  const shown = signal<string | null>(null)
  const came = signal<string | null>(null)
  const files = signal<readonly FileInfo[] | null>(null)
  const failed = signal<Trouble | null>(null)
  let reading = false
  let again = false
  let seen = ''

  async function refresh(): Promise<void> {
    const id = conversation.threadId.peek()
    const by = client.peek()
    if (!by || id === null) return
    again = reading
    if (reading) return
    reading = true
    const read = await by.files(id)
    reading = false
    if (id === conversation.threadId.peek() && by === client.peek()) {
      failed.value = read.ok ? null : trouble('The files could not be listed', read.error)
      if (read.ok) files.value = read.value
    } else again = true
    if (again) await refresh()
  }

  // When the thread changes, clear everything that belongs to the previous one.
  let last: string | null = null
  effect(() => {
    const id = conversation.threadId.value
    if (id === last) return
    // The panel stays open when a new conversation is assigned its thread.
    if (last !== null) open.value = false
    shown.value = null
    last = id
    files.value = null
    failed.value = null
  })
  // Refresh the list when the answer writes or presents files, when it ends, and when attachments change.
  effect(() => {
    const id = conversation.threadId.value
    const run = conversation.active.value?.run.value
    const written = `${run?.runId} ${run?.sizes.size} ${run?.artifacts.length} ${sizesIn(run?.sizes)}`
    const attached = attachments.chips.value.map(({ uploaded }) => uploaded?.path ?? '').join('/')
    const now = id === null ? '' : `${id} ${written} ${attached}`
    if (now === seen) return
    seen = now
    if (id !== null && client.value) void refresh()
  })

  return {
    open,
    shown,
    files,
    trouble: failed,
    came,
    back() {
      came.value = shown.peek()
      shown.value = null
    },
    show(path) {
      came.value = null
      shown.value = path
      open.value = true
    },
    close() {
      open.value = false
    },
    refresh,
    async remove(file) {
      const gone = (await client.peek()?.json('DELETE', file.href)) ?? null
      if (gone?.ok) files.value = (files.peek() ?? []).filter(({ path }) => path !== file.path)
      if (gone?.ok && shown.peek() === file.path) shown.value = null
      return gone
    },
  }
}

function sizesIn(sizes: ReadonlyMap<string, number> | undefined): number {
  let all = 0
  for (const bytes of sizes?.values() ?? []) all += bytes
  return all
}
