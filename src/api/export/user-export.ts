// The export of a user: a tar archive of all threads with their messages, receipts, approvals and files, made while it is sent.
// Holds one page or one piece of a file at a time. A thread or file that is gone is skipped, and the report at the end says so.

import type { Caller } from '../../lib/caller.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { utf8 } from '../../lib/bytes.ts'
import { redact } from '../../lib/redact.ts'
import type { Result } from '../../lib/result.ts'
import { TAR_END, tarHeader, tarPadding } from '../../lib/tar.ts'
import type { FileContent, Page, ThreadApi } from '../../thread/api.ts'
import {
  EXPORT_CALLS_MAX,
  EXPORT_FILES_PER_CALL,
  EXPORT_PAGE_ITEMS,
  EXPORT_THREADS_PER_CALL,
} from './limits.ts'
import { entryName, LISTS, type Position, type ThreadPosition } from './position.ts'

export type ExportedThread = Pick<
  ThreadApi,
  'info' | 'messages' | 'receipts' | 'exportPage' | 'listFiles' | 'fileContent'
>

/** Where the data comes from. Each call counts towards EXPORT_CALLS_MAX. */
export interface ExportSource {
  /** What the workspace stores about the user. */
  account(): Promise<Result<object>>
  /** IDs of the user's threads from this one on, in order. */
  threads(from: string, limit: number): Promise<Result<readonly string[]>>
  thread(id: string): ExportedThread
  /** The bytes of a large file, or null if they are lost. */
  bytes(key: string): Promise<ReadableStream<Uint8Array> | null>
  readonly caller: Caller
  readonly now: number
}

/** What the archive lacks, with the reason. */
interface Skipped {
  readonly entry: string
  readonly reason: string
}

/** Ends an archive early, with the entry at which the next one continues. */
class Interrupted extends Error {
  readonly at: string

  constructor(at: string, message: string) {
    super(message)
    this.at = at
  }
}

const DELETED = 'It was deleted while the export ran.'

export async function* exportPieces(
  source: ExportSource,
  start: Position,
): AsyncGenerator<Uint8Array, void, undefined> {
  const run = new ExportRun(source)
  let interrupted: Interrupted | null = null
  try {
    yield* run.pieces(start)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    interrupted = error
  }
  const report = {
    complete: interrupted === null,
    next_cursor: interrupted?.at ?? null,
    reason: interrupted?.message ?? null,
    threads: run.threads,
    files: run.files,
    skipped: run.skipped,
  }
  yield* entry('report.json', utf8(`${JSON.stringify(report, null, 2)}\n`), source.now)
  yield TAR_END
}

/** Reads a page of a thread's list. */
type ReadList = (cursor: string | null) => Promise<Result<Page<unknown>>>

class ExportRun {
  threads = 0
  files = 0
  readonly skipped: Skipped[] = []
  readonly #source: ExportSource
  #calls = 0

  constructor(source: ExportSource) {
    this.#source = source
  }

  async *pieces(start: Position): AsyncGenerator<Uint8Array, void, undefined> {
    const source = this.#source
    const { now } = source
    if (start.part === 'account') {
      const about = await this.#ask(entryName(start), () => source.account())
      yield* entry(entryName(start), utf8(`${JSON.stringify(about, null, 2)}\n`), now)
    }
    let first = start.part === 'account' ? null : start
    let from = first?.thread ?? ''
    let at = entryName(start)
    for (;;) {
      const ids = (await this.#ask(at, () => this.#source.threads(from, EXPORT_THREADS_PER_CALL))) ?? []
      for (const id of ids) {
        const begin: ThreadPosition = { part: 'info', thread: id, from: null }
        yield* this.#thread(id, first?.thread === id ? first : begin)
        first = null
        at = entryName(begin)
      }
      if (ids.length < EXPORT_THREADS_PER_CALL) return
      // "~" sorts after every character of an ID.
      from = `${ids.at(-1)}~`
    }
  }

  /** Null if it does not exist. Throws Interrupted if it cannot be read, or if this response may make no more calls. */
  async #ask<T>(at: string, call: () => Promise<Result<T>>): Promise<T | null> {
    if (this.#calls >= EXPORT_CALLS_MAX)
      throw new Interrupted(at, 'This response has reached its limit. Continue with next_cursor.')
    this.#calls += 1
    const answer = await call().catch((error: unknown) => {
      throw new Interrupted(
        at,
        `The next entry could not be read (${redact(String(error))}). Try again later.`,
      )
    })
    if (answer.ok) return answer.value
    if (answer.error.code === 'not_found') return null
    throw new Interrupted(at, answer.error.detail)
  }

  async *#thread(id: string, start: ThreadPosition): AsyncGenerator<Uint8Array, void, undefined> {
    const { now, caller } = this.#source
    const thread = this.#source.thread(id)
    const name = entryName(start)
    const info = await this.#ask(name, () => thread.info(caller))
    if (info === null) {
      this.skipped.push({ entry: name, reason: DELETED })
      return
    }
    this.threads += 1
    if (start.part === 'info') yield* entry(name, utf8(`${JSON.stringify(info, null, 2)}\n`), now)
    const firstList =
      start.part === 'info' ? 0 : start.part === 'files' ? LISTS.length : LISTS.indexOf(start.part)
    const lists: Readonly<Record<(typeof LISTS)[number], ReadList>> = {
      messages: (cursor: string | null) => thread.messages(caller, cursor, EXPORT_PAGE_ITEMS),
      runs: (cursor: string | null) => thread.receipts(caller, cursor, EXPORT_PAGE_ITEMS),
      approvals: (cursor: string | null) => thread.exportPage(caller, 'approvals', cursor, EXPORT_PAGE_ITEMS),
      requests: (cursor: string | null) => thread.exportPage(caller, 'requests', cursor, EXPORT_PAGE_ITEMS),
    }
    for (const list of LISTS.slice(firstList)) {
      let from = list === start.part ? start.from : null
      do {
        const position = { part: list, thread: id, from } as const
        const page: Page<unknown> | null = await this.#ask(entryName(position), () =>
          lists[list](from === null ? null : encodeCursor([Number(from)])),
        )
        if (page === null) {
          this.skipped.push({ entry: entryName(position), reason: DELETED })
          return
        }
        if (page.data.length > 0) yield* entry(entryName(position), ndjson(page.data), now)
        from = page.next_cursor === null ? null : numberOf(page.next_cursor)
      } while (from !== null)
    }
    yield* this.#threadFiles(id, thread, start.part === 'files' ? (start.from ?? '') : '')
  }

  async *#threadFiles(
    id: string,
    thread: ExportedThread,
    from: string,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { caller } = this.#source
    for (let cursor: string | null = null; ;) {
      const at = entryName({ part: 'files', thread: id, from })
      const page: Page<{ readonly path: string }> | null = await this.#ask(at, () =>
        thread.listFiles(caller, '', cursor, EXPORT_FILES_PER_CALL),
      )
      for (const { path } of page?.data ?? []) if (path >= from) yield* this.#file(id, thread, path)
      cursor = page?.next_cursor ?? null
      if (cursor === null) return
    }
  }

  async *#file(
    id: string,
    thread: ExportedThread,
    path: string,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const name = entryName({ part: 'files', thread: id, from: path })
    const file = await this.#ask(name, () => thread.fileContent(this.#source.caller, path))
    if (file === null) {
      this.skipped.push({ entry: name, reason: DELETED })
      return
    }
    const changedAt = Date.parse(file.updated_at)
    if (file.data) yield* entry(name, file.data, changedAt)
    else {
      const { key } = file
      const body =
        key === null
          ? null
          : await this.#ask(name, async () => ({ ok: true, value: await this.#source.bytes(key) }))
      if (body === null) {
        this.skipped.push({
          entry: name,
          reason: 'Its bytes are gone: it was deleted or replaced, or they were lost.',
        })
        return
      }
      yield* largeEntry(name, file, body, changedAt)
    }
    this.files += 1
  }
}

function* entry(name: string, bytes: Uint8Array, changedAt: number): Generator<Uint8Array> {
  yield tarHeader(name, bytes.byteLength, changedAt)
  if (bytes.byteLength > 0) yield bytes
  const padding = tarPadding(bytes.byteLength)
  if (padding.byteLength > 0) yield padding
}

/** Throws if the store has other bytes than the thread's row says: the archive would be broken. */
async function* largeEntry(
  name: string,
  { bytes }: FileContent,
  body: ReadableStream<Uint8Array>,
  changedAt: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield tarHeader(name, bytes, changedAt)
  let sent = 0
  for await (const piece of body) {
    sent += piece.byteLength
    yield piece
  }
  if (sent !== bytes) throw new Error(`A file has ${sent} instead of ${bytes} bytes in the store.`)
  const padding = tarPadding(bytes)
  if (padding.byteLength > 0) yield padding
}

function ndjson(items: readonly unknown[]): Uint8Array {
  return utf8(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
}

/** A thread's lists continue at a number. */
function numberOf(cursor: string): string | null {
  const position = decodeCursor(cursor, ['number'])
  return position && String(position[0])
}
