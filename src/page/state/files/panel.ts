// The files of the open thread, and the one being viewed. Updated while an answer is running. Never draws.

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
  /** Path of the file being viewed; null for the list. */
  readonly shown: ReadonlySignal<string | null>
  /** Null until read. */
  readonly files: ReadonlySignal<readonly FileInfo[] | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  /** Opens a file, or the list. */
  show(path: string | null): void
  /** Returns from a file to the list. */
  readonly back: () => void
  /** The file that `back` left; null if the list was opened directly. */
  readonly came: ReadonlySignal<string | null>
  readonly close: () => void
  refresh(): Promise<void>
  /** Deletes a file from the thread. Null: nobody is signed in. */
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

  // A change of thread clears everything of the previous one.
  let last: string | null = null
  effect(() => {
    const id = conversation.threadId.value
    if (id === last) return
    // A new conversation that got its thread keeps the panel open.
    if (last !== null) open.value = false
    shown.value = null
    last = id
    files.value = null
    failed.value = null
  })
  // Changes come from files that the answer writes or presents, from its end, and from attachments.
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
