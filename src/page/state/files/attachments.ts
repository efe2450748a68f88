// The files of the next message. Uploads them one at a time, retries failed uploads, and removes files. Renders nothing.

import { signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import type { ClientFailure } from '../../../client/types.ts'
import { err, ok, type Result } from '../../../lib/result.ts'
import { FILE_CEILING_BYTES } from '../../../limits/settings.ts'
import type { FileInfo } from '../../../thread/api.ts'
import { ABORTABLE_MIN_BYTES } from './limits.ts'
import { formatSize } from '../../lib/format.ts'
import { describeFailure } from '../../lib/failure.ts'
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
  readonly abortController: AbortController
  /** The server may have the file, even after an abort. The upload then continues, because its response has the URL to delete. */
  mayHaveArrived: boolean
  /** The chip was removed, or another conversation was opened. */
  isCancelled: boolean
}

export function createAttachments({ session, threadId, announce }: AttachmentsWiring): Attachments {
  const chips = signal<readonly Chip[]>([])
  const createdThread = signal<string | null>(null)
  const tasks = new Map<string, UploadTask>()
  /** Requests in progress. */
  const pendingRequests = new Set<Promise<void>>()
  let queueTail = Promise.resolve()
  let visitCount = 0
  let lastNumber = 0

  function track(task: Promise<void>): Promise<void> {
    pendingRequests.add(task)
    void task.finally(() => pendingRequests.delete(task))
    return task
  }

  function updateChip(key: string, change: Partial<Chip>): void {
    chips.value = chips.peek().map((chip) => (chip.key === key ? { ...chip, ...change } : chip))
  }

  function fail(key: string, error: string, mayRetry = true): void {
    updateChip(key, { state: 'failed', error, mayRetry })
  }

  async function ensureThread(client: Client): Promise<Result<string, ClientFailure>> {
    const id = threadId.peek() ?? createdThread.peek()
    if (id !== null) return ok(id)
    const startVisit = visitCount
    const thread = await client.createThread()
    if (thread.ok && startVisit === visitCount) createdThread.value = thread.value
    return thread
  }

  async function send(key: string, task: UploadTask): Promise<void> {
    if (task.isCancelled) return
    task.mayHaveArrived = false
    const onProgress = (fraction: number): void => {
      // More may have been sent since the last progress event.
      task.mayHaveArrived ||= fraction >= 0.5
      if (!task.isCancelled) updateChip(key, { state: fraction === 1 ? 'storing' : 'uploading', fraction })
    }
    updateChip(key, { state: 'uploading', fraction: 0, error: '' })
    const client = session.client.peek()
    const uploader = session.uploader(onProgress, task.abortController.signal)
    if (!client || !uploader) return fail(key, 'You are not signed in.')
    const thread = await ensureThread(client)
    if (task.isCancelled) return
    task.mayHaveArrived = task.file.size < ABORTABLE_MIN_BYTES
    const result = thread.ok ? await uploadFile(uploader, thread.value, task.file) : thread
    if (task.isCancelled) {
      if (result.ok) await client.json('DELETE', result.value.href)
      return
    }
    if (!result.ok) return fail(key, `Not uploaded. ${describeFailure('', result.error).detail}`)
    updateChip(key, { state: 'done', fraction: 1, uploaded: result.value, bytes: result.value.bytes })
    announce(`${task.file.name} is attached.`)
  }

  function start(key: string): void {
    const task = tasks.get(key)
    if (!task) return
    updateChip(key, { state: 'waiting', error: '' })
    queueTail = track(queueTail.then(async () => send(key, task)))
  }

  function attach(file: File, text: string | null): void {
    const chip = newChip(`chip-${++lastNumber}`, file, text)
    chips.value = [...chips.peek(), chip]
    tasks.set(chip.key, {
      file,
      abortController: new AbortController(),
      mayHaveArrived: false,
      isCancelled: false,
    })
    if (file.size > FILE_CEILING_BYTES)
      fail(chip.key, `is too large; the limit is ${formatSize(FILE_CEILING_BYTES)}`, false)
    else start(chip.key)
  }

  function restore(files: readonly SentFile[]): void {
    const existing = new Set(chips.peek().map(({ uploaded: file }) => file?.path))
    const newFiles = files.filter(({ path }) => !existing.has(path))
    if (newFiles.length === 0) return
    chips.value = [...newFiles.map((file) => chipForFile(`chip-${++lastNumber}`, file)), ...chips.peek()]
  }

  async function removeChip({ key, uploaded: knownFile }: Chip): Promise<void> {
    const task = tasks.get(key)
    if (task) task.isCancelled = true
    // If the server may already have the file, it is deleted when the response with its URL arrives.
    if (task && !task.mayHaveArrived) task.abortController.abort()
    const existing = chips.peek().find((chip) => chip.key === key)?.uploaded ?? knownFile
    if (existing) {
      updateChip(key, { state: 'removing', error: '' })
      const result = await session.client.peek()?.json('DELETE', existing.href)
      const isGone = result?.ok || (result?.error.kind === 'problem' && result.error.problem.status === 404)
      if (result && !result.ok && !isGone) {
        updateChip(key, {
          state: 'done',
          error: `could not be removed: ${describeFailure('', result.error).detail}`,
        })
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
      const startVisit = visitCount
      if (pendingRequests.size > 0) announce('The message will be sent when its files are uploaded…')
      while (startVisit === visitCount && pendingRequests.size > 0) await Promise.all(pendingRequests)
      if (startVisit !== visitCount) return false
      return !chips.peek().some(({ state }) => state === 'failed')
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
    reset(threadOfDraft = null) {
      visitCount++
      for (const task of tasks.values()) {
        task.isCancelled = true
        // If the server may already have the file, `send` deletes it when the response arrives.
        if (!task.mayHaveArrived) task.abortController.abort()
      }
      tasks.clear()
      createdThread.value = threadOfDraft
      queueTail = Promise.resolve()
      chips.value = []
      if (threadOfDraft !== null) void restoreFrom(threadOfDraft, visitCount)
    },
  }

  /** Adds chips for the files in the thread that was created for a draft, unless that thread has been deleted. */
  async function restoreFrom(threadId: string, startVisit: number): Promise<void> {
    const files = await session.client.peek()?.listFiles(threadId, 'uploads/')
    if (!files || startVisit !== visitCount) return
    if (files.ok) restore(files.value)
    else if (files.error.kind === 'problem' && createdThread.peek() === threadId) createdThread.value = null
  }
}

async function uploadFile(
  client: Client,
  threadId: string,
  file: File,
): Promise<Result<FileInfo, ClientFailure>> {
  const uploaded = await client.upload(threadId, [{ name: file.name, data: file }])
  if (!uploaded.ok) return uploaded
  const [first] = uploaded.value
  return first
    ? ok(first)
    : err({ kind: 'broken', detail: 'The server did not return the address of the file.' })
}
