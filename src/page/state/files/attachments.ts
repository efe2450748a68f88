// The files of the next message. Uploads them one at a time, retries failed uploads, and removes files. Renders nothing.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { FILE_MAX_BYTES } from '../../../limits/settings.ts'
import type { FileInfo } from '../../../thread/api.ts'
import { STOP_BYTES } from './limits.ts'
import { size } from '../../lib/format.ts'
import { trouble } from '../../lib/failure.ts'
import type { SentFile } from '../../run/files.ts'
import { chipForFile, newChip, type Chip } from './chip.ts'
import type { Session } from '../key/session.ts'

export interface Attachments {
  readonly chips: ReadonlySignal<readonly Chip[]>
  /** The thread created for the files of a new conversation, or null. */
  readonly createdThread: ReadonlySignal<string | null>
  readonly add: (files: readonly File[]) => void
  /** Attaches a long pasted text as a file. */
  addText(text: string): void
  readonly refuseFolder: (name: string) => void
  retry(chip: Chip): void
  /** Removes a file from the message and from the thread. */
  removeChip(chip: Chip): Promise<void>
  /** Waits for pending uploads. False if the message must not be sent: an upload failed, or another conversation was opened. */
  ready(): Promise<boolean>
  /** Returns the chips for the message that is being sent, and clears them. */
  take(): readonly Chip[]
  restoreChips(chips: readonly Chip[]): void
  /** Adds chips for files of the thread that have not been sent with a message. */
  restore(files: readonly SentFile[]): void
  /** Removes the chips of files that were sent or deleted elsewhere. */
  forgetFiles(files: readonly SentFile[]): void
  /** Starts over for another conversation. `createdThread`: the thread that was created for the files of its draft. */
  reset(createdThread?: string | null): void
}

export interface AttachmentsWiring {
  readonly session: Pick<Session, 'client' | 'uploader'>
  /** The thread of the open conversation; null for a new one. */
  readonly threadId: ReadonlySignal<string | null>
  readonly announce: (text: string) => void
}

/** The upload of a chip's file. */
interface UploadTask {
  readonly file: File
  readonly stop: AbortController
  /** The server may have the file, even after an abort. The upload then continues, because its response has the URL to delete. */
  sent: boolean
  /** The chip was removed, or another conversation was opened. */
  isCancelled: boolean
}

export function createAttachments({ session, threadId, announce }: AttachmentsWiring): Attachments {
  const chips = signal<readonly Chip[]>([])
  const createdThread = signal<string | null>(null)
  const tasks = new Map<string, UploadTask>()
  /** Requests in progress. */
  const pending = new Set<Promise<void>>()
  let queueTail = Promise.resolve()
  let visit = 0
  let lastNumber = 0

  function track(task: Promise<void>): Promise<void> {
    pending.add(task)
    void task.finally(() => pending.delete(task))
    return task
  }

  function change(key: string, to: Partial<Chip>): void {
    chips.value = chips.peek().map((chip) => (chip.key === key ? { ...chip, ...to } : chip))
  }

  function fail(key: string, why: string, mayRetry = true): void {
    change(key, { state: 'failed', why, mayRetry })
  }

  async function ensureThread(by: Client): Promise<Result<string, ClientFailure>> {
    const id = threadId.peek() ?? createdThread.peek()
    if (id !== null) return ok(id)
    const startVisit = visit
    const thread = await by.createThread()
    if (thread.ok && startVisit === visit) createdThread.value = thread.value
    return thread
  }

  async function send(key: string, task: UploadTask): Promise<void> {
    if (task.isCancelled) return
    task.sent = false
    const onPart = (fraction: number): void => {
      // More may have been sent since the last progress event.
      task.sent ||= fraction >= 0.5
      if (!task.isCancelled) change(key, { state: fraction === 1 ? 'keeping' : 'uploading', fraction })
    }
    change(key, { state: 'uploading', fraction: 0, why: '' })
    const by = session.client.peek()
    const uploader = session.uploader(onPart, task.stop.signal)
    if (!by || !uploader) return fail(key, 'You are not signed in.')
    const thread = await ensureThread(by)
    if (task.isCancelled) return
    task.sent = task.file.size < STOP_BYTES
    const kept = thread.ok ? await uploadFile(uploader, thread.value, task.file) : thread
    if (task.isCancelled) {
      if (kept.ok) await by.json('DELETE', kept.value.href)
      return
    }
    if (!kept.ok) return fail(key, trouble('', kept.error).detail)
    change(key, { state: 'done', fraction: 1, uploaded: kept.value, bytes: kept.value.bytes })
    announce(`${task.file.name} is attached.`)
  }

  function start(key: string): void {
    const task = tasks.get(key)
    if (!task) return
    change(key, { state: 'waiting', why: '' })
    queueTail = track(queueTail.then(async () => send(key, task)))
  }

  function attach(file: File, text: string | null): void {
    const chip = newChip(`chip-${++lastNumber}`, file, text)
    chips.value = [...chips.peek(), chip]
    tasks.set(chip.key, { file, stop: new AbortController(), sent: false, isCancelled: false })
    if (file.size > FILE_MAX_BYTES)
      fail(chip.key, `is too large; the limit is ${size(FILE_MAX_BYTES)}`, false)
    else start(chip.key)
  }

  function restore(files: readonly SentFile[]): void {
    const existing = new Set(chips.peek().map(({ uploaded: file }) => file?.path))
    const newFiles = files.filter(({ path }) => !existing.has(path))
    if (newFiles.length === 0) return
    chips.value = [...newFiles.map((file) => chipForFile(`chip-${++lastNumber}`, file)), ...chips.peek()]
  }

  async function removeChip({ key, uploaded: already }: Chip): Promise<void> {
    const task = tasks.get(key)
    if (task) task.isCancelled = true
    // If the server may already have the file, it is deleted when the response with its URL arrives.
    if (task && !task.sent) task.stop.abort()
    const existing = chips.peek().find((chip) => chip.key === key)?.uploaded ?? already
    if (existing) {
      change(key, { state: 'leaving', why: '' })
      const result = await session.client.peek()?.json('DELETE', existing.href)
      const isGone = result?.ok || (result?.error.kind === 'problem' && result.error.problem.status === 404)
      if (result && !result.ok && !isGone) {
        change(key, { state: 'done', why: `could not be removed: ${trouble('', result.error).detail}` })
        return
      }
    }
    chips.value = chips.peek().filter((chip) => chip.key !== key)
    tasks.delete(key)
    announce('')
  }

  return {
    chips,
    createdThread,
    add: (files) => files.forEach((file) => attach(file, null)),
    addText: (text) => attach(new File([text], 'pasted-text.txt', { type: 'text/plain' }), text),
    refuseFolder(name) {
      const chip = newChip(`chip-${++lastNumber}`, { name, size: 0 }, null)
      chips.value = [...chips.peek(), chip]
      fail(chip.key, 'is a folder; attach the files in it instead', false)
    },
    retry: ({ key }) => start(key),
    removeChip: async (chip) => track(removeChip(chip)),
    async ready() {
      const startVisit = visit
      if (pending.size > 0) announce('The message will be sent when its files are uploaded…')
      while (startVisit === visit && pending.size > 0) await Promise.all(pending)
      if (startVisit !== visit) return false
      const failed = chips.peek().some(({ state }) => state === 'failed')
      if (failed)
        announce(
          'The message was not sent because a file could not be uploaded. Try again or remove the file.',
        )
      return !failed
    },
    take() {
      const removed = chips.peek()
      chips.value = []
      return removed
    },
    restoreChips(removed) {
      const existing = new Set(chips.peek().map(({ uploaded: file }) => file?.path))
      const restored = removed.filter(({ uploaded: file }) => file === null || !existing.has(file.path))
      chips.value = [...restored, ...chips.peek()]
    },
    restore,
    forgetFiles(files) {
      const paths = new Set(files.map(({ path }) => path))
      chips.value = chips.peek().filter(({ uploaded: file }) => file === null || !paths.has(file.path))
    },
    reset(kept = null) {
      visit++
      for (const task of tasks.values()) {
        task.isCancelled = true
        // If the server may already have the file, `send` deletes it when the response arrives.
        if (!task.sent) task.stop.abort()
      }
      tasks.clear()
      createdThread.value = kept
      queueTail = Promise.resolve()
      chips.value = []
      if (kept !== null) void restoreFrom(kept, visit)
    },
  }

  /** Adds chips for the files in the thread that was created for a draft, unless that thread has been deleted. */
  async function restoreFrom(threadId: string, startVisit: number): Promise<void> {
    const files = await session.client.peek()?.files(threadId, 'uploads/')
    if (!files || startVisit !== visit) return
    if (files.ok) restore(files.value)
    else if (files.error.kind === 'problem' && createdThread.peek() === threadId) createdThread.value = null
  }
}

async function uploadFile(
  by: Client,
  threadId: string,
  file: File,
): Promise<Result<FileInfo, ClientFailure>> {
  const sent = await by.upload(threadId, [{ name: file.name, data: file }])
  if (!sent.ok) return sent
  const [first] = sent.value
  return first
    ? ok(first)
    : err({ kind: 'broken', detail: 'The server did not return the address of the file.' })
}
