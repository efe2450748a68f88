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
import { chipOf, newChip, type Chip } from './chip.ts'
import type { Session } from '../key/session.ts'

export interface Attachments {
  readonly chips: ReadonlySignal<readonly Chip[]>
  /** The thread created for the files of a new conversation, or null. */
  readonly made: ReadonlySignal<string | null>
  readonly add: (files: readonly File[]) => void
  /** Attaches a long pasted text as a file. */
  addText(text: string): void
  readonly refuseFolder: (name: string) => void
  retry(chip: Chip): void
  /** Removes a file from the message and from the thread. */
  takeOff(chip: Chip): Promise<void>
  /** Waits for pending uploads. False if the message must not be sent: an upload failed, or another conversation was opened. */
  ready(): Promise<boolean>
  /** Returns the chips for the message that is being sent, and clears them. */
  take(): readonly Chip[]
  giveBack(chips: readonly Chip[]): void
  /** Adds chips for files of the thread that have not been sent with a message. */
  restore(files: readonly SentFile[]): void
  /** Removes the chips of files that were sent or deleted elsewhere. */
  letGo(files: readonly SentFile[]): void
  /** Starts over for another conversation. `createdThread`: the thread that was created for the files of its draft. */
  reset(made?: string | null): void
}

export interface AttachmentsWiring {
  readonly session: Pick<Session, 'client' | 'uploader'>
  /** The thread of the open conversation; null for a new one. */
  readonly threadId: ReadonlySignal<string | null>
  readonly say: (text: string) => void
}

/** The upload of a chip's file. */
interface Work {
  readonly file: File
  readonly stop: AbortController
  /** The server may have the file, even after an abort. The upload then continues, because its response has the URL to delete. */
  sent: boolean
  /** The chip was removed, or another conversation was opened. */
  gone: boolean
}

export function createAttachments({ session, threadId, say }: AttachmentsWiring): Attachments {
  const chips = signal<readonly Chip[]>([])
  const made = signal<string | null>(null)
  const works = new Map<string, Work>()
  /** Requests in progress. */
  const pending = new Set<Promise<void>>()
  let line = Promise.resolve()
  let visit = 0
  let last = 0

  function track(work: Promise<void>): Promise<void> {
    pending.add(work)
    void work.finally(() => pending.delete(work))
    return work
  }

  function change(key: string, to: Partial<Chip>): void {
    chips.value = chips.peek().map((chip) => (chip.key === key ? { ...chip, ...to } : chip))
  }

  function fail(key: string, why: string, mayRetry = true): void {
    change(key, { state: 'failed', why, mayRetry })
  }

  async function home(by: Client): Promise<Result<string, ClientFailure>> {
    const id = threadId.peek() ?? made.peek()
    if (id !== null) return ok(id)
    const now = visit
    const thread = await by.createThread()
    if (thread.ok && now === visit) made.value = thread.value
    return thread
  }

  async function send(key: string, work: Work): Promise<void> {
    if (work.gone) return
    work.sent = false
    const onPart = (part: number): void => {
      // More may have been sent since the last progress event.
      work.sent ||= part >= 0.5
      if (!work.gone) change(key, { state: part === 1 ? 'keeping' : 'uploading', part })
    }
    change(key, { state: 'uploading', part: 0, why: '' })
    const by = session.client.peek()
    const through = session.uploader(onPart, work.stop.signal)
    if (!by || !through) return fail(key, 'You are not signed in.')
    const thread = await home(by)
    if (work.gone) return
    work.sent = work.file.size < STOP_BYTES
    const kept = thread.ok ? await uploaded(through, thread.value, work.file) : thread
    if (work.gone) {
      if (kept.ok) await by.json('DELETE', kept.value.href)
      return
    }
    if (!kept.ok) return fail(key, trouble('', kept.error).detail)
    change(key, { state: 'done', part: 1, uploaded: kept.value, bytes: kept.value.bytes })
    say(`${work.file.name} is attached.`)
  }

  function start(key: string): void {
    const work = works.get(key)
    if (!work) return
    change(key, { state: 'waiting', why: '' })
    line = track(line.then(async () => send(key, work)))
  }

  function put(file: File, text: string | null): void {
    const chip = newChip(`chip-${++last}`, file, text)
    chips.value = [...chips.peek(), chip]
    works.set(chip.key, { file, stop: new AbortController(), sent: false, gone: false })
    if (file.size > FILE_MAX_BYTES)
      fail(chip.key, `is too large; the limit is ${size(FILE_MAX_BYTES)}`, false)
    else start(chip.key)
  }

  function restore(files: readonly SentFile[]): void {
    const there = new Set(chips.peek().map(({ uploaded: file }) => file?.path))
    const fresh = files.filter(({ path }) => !there.has(path))
    if (fresh.length === 0) return
    chips.value = [...fresh.map((file) => chipOf(`chip-${++last}`, file)), ...chips.peek()]
  }

  async function takeOff({ key, uploaded: already }: Chip): Promise<void> {
    const work = works.get(key)
    if (work) work.gone = true
    // If the server may already have the file, it is deleted when the response with its URL arrives.
    if (work && !work.sent) work.stop.abort()
    const there = chips.peek().find((chip) => chip.key === key)?.uploaded ?? already
    if (there) {
      change(key, { state: 'leaving', why: '' })
      const off = await session.client.peek()?.json('DELETE', there.href)
      const isGone = off?.ok || (off?.error.kind === 'problem' && off.error.problem.status === 404)
      if (off && !off.ok && !isGone) {
        change(key, { state: 'done', why: `could not be removed: ${trouble('', off.error).detail}` })
        return
      }
    }
    chips.value = chips.peek().filter((chip) => chip.key !== key)
    works.delete(key)
    say('')
  }

  return {
    chips,
    made,
    add: (files) => files.forEach((file) => put(file, null)),
    addText: (text) => put(new File([text], 'pasted-text.txt', { type: 'text/plain' }), text),
    refuseFolder(name) {
      const chip = newChip(`chip-${++last}`, { name, size: 0 }, null)
      chips.value = [...chips.peek(), chip]
      fail(chip.key, 'is a folder; attach the files in it instead', false)
    },
    retry: ({ key }) => start(key),
    takeOff: async (chip) => track(takeOff(chip)),
    async ready() {
      const now = visit
      if (pending.size > 0) say('The message will be sent when its files are uploaded…')
      while (now === visit && pending.size > 0) await Promise.all(pending)
      if (now !== visit) return false
      const failed = chips.peek().some(({ state }) => state === 'failed')
      if (failed)
        say('The message was not sent because a file could not be uploaded. Try again or remove the file.')
      return !failed
    },
    take() {
      const taken = chips.peek()
      chips.value = []
      return taken
    },
    giveBack(taken) {
      const there = new Set(chips.peek().map(({ uploaded: file }) => file?.path))
      const back = taken.filter(({ uploaded: file }) => file === null || !there.has(file.path))
      chips.value = [...back, ...chips.peek()]
    },
    restore,
    letGo(files) {
      const paths = new Set(files.map(({ path }) => path))
      chips.value = chips.peek().filter(({ uploaded: file }) => file === null || !paths.has(file.path))
    },
    reset(kept = null) {
      visit++
      for (const work of works.values()) {
        work.gone = true
        // If the server may already have the file, `send` deletes it when the response arrives.
        if (!work.sent) work.stop.abort()
      }
      works.clear()
      made.value = kept
      line = Promise.resolve()
      chips.value = []
      if (kept !== null) void bring(kept, visit)
    },
  }

  /** Adds chips for the files in the thread that was created for a draft, unless that thread has been deleted. */
  async function bring(threadId: string, now: number): Promise<void> {
    const files = await session.client.peek()?.files(threadId, 'uploads/')
    if (!files || now !== visit) return
    if (files.ok) restore(files.value)
    else if (files.error.kind === 'problem' && made.peek() === threadId) made.value = null
  }
}

async function uploaded(by: Client, threadId: string, file: File): Promise<Result<FileInfo, ClientFailure>> {
  const sent = await by.upload(threadId, [{ name: file.name, data: file }])
  if (!sent.ok) return sent
  const [first] = sent.value
  return first
    ? ok(first)
    : err({ kind: 'broken', detail: 'The server did not return the address of the file.' })
}
