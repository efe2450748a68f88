// The one row that describes the thread, and its newest window.

import { NO_USAGE, type Usage } from '../../agent/message.ts'
import type { TodoItem } from '../../agent/todos.ts'
import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import { mayActAs } from '../../lib/caller.ts'
import type { ThreadInfo } from '../api.ts'
import type { CachedPrompt } from '../../agent/prompt-cache.ts'
import { columnOf, columnsAs, insertRow, toStoredValue, type StoredRow } from './columns.ts'
import { readStored } from './stored-json.ts'
import {
  skillsOfRun,
  windowOfRun,
  FIRST_WINDOW,
  insertFirstWindow,
  insertWindow,
  readWindow,
  replaceFirstWindow,
} from './windows.ts'
import type { NewWindow, ThreadWindow } from './windows.ts'

export interface ThreadData {
  readonly id: string
  readonly workspace: string
  readonly owner: string
  readonly user: string | null
  /** The key or hook that created the thread. */
  readonly madeBy: string
  readonly title: string
  readonly titled: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly updatedAt: number
  readonly model: string
  /** The newest window: requests to the model are made from it alone. */
  readonly window: ThreadWindow
  readonly system: string
  readonly tools: readonly ToolRow[]
  readonly allow: readonly string[] | null
  /** Names of tools and groups as requested; null means all. */
  readonly chosenTools: readonly string[] | null
  readonly catalogVersion: number
  readonly seenVersion: number
  readonly seenIndex: string
  readonly contextTokens: number
  /** What the provider has cached of the prompt; null if nothing is known. */
  readonly cachedPrompt: CachedPrompt | null
  /** The plan; null if there is none. */
  readonly todos: readonly TodoItem[] | null
  readonly usage: Usage
  /**
   * Number of changes of the thread's approvals (0 if it never had one), and of those reported to the
   * workspace.
   */
  readonly approvalsChange: number
  readonly approvalsReported: number
  /** Number of the last message whose text was reported to the workspace. */
  readonly textsReported: number
  readonly root: string
  readonly forkedFrom: ThreadInfo['forked_from']
}

/** The keys of the row's columns, except those of a fork's source. Windows have separate tables. */
const KEYS = [
  ...(['id', 'workspace', 'owner', 'user', 'madeBy', 'title', 'titled', 'metadata', 'createdAt'] as const),
  ...(['updatedAt', 'model', 'allow', 'chosenTools', 'catalogVersion', 'seenVersion', 'seenIndex'] as const),
  ...(['contextTokens', 'cachedPrompt', 'todos', 'usage', 'approvalsChange'] as const),
  ...(['approvalsReported', 'textsReported', 'root'] as const),
]
const ROW_KEYS: ReadonlySet<string> = new Set(KEYS)

/** Types of the columns. Their JSON is cast, because only this file writes it. */
type ThreadColumns = StoredRow<Pick<ThreadData, (typeof KEYS)[number]>> & {
  readonly fork_thread: string | null
  readonly fork_message: string | null
  readonly fork_messages: number
}

/** The fields of a thread in which no run has begun: its first run decides the catalog and the prefix. */
export const WITHOUT_PREFIX = {
  window: FIRST_WINDOW,
  system: '',
  tools: [],
  catalogVersion: 0,
  seenVersion: 0,
  seenIndex: '',
} as const

/** The owner of a thread: the user for whom its key acts, or the key itself. */
export function ownerOf(caller: Caller): string {
  return caller.user === null ? `key:${caller.keyId}` : `user:${caller.user}`
}

export function mayUse(
  caller: Caller,
  thread: { readonly workspace: string; readonly owner: string },
): boolean {
  if (caller.workspace !== thread.workspace) return false
  return mayActAs(caller, 'admin') || ownerOf(caller) === thread.owner
}

export class ThreadRow {
  readonly #sql: SqlStorage
  #data: ThreadData | null = null
  /** Columns that a block changed, which are written at its end. */
  readonly #deferred = new Map<string, SqlStorageValue>()
  #isDeferring = false
  /**
   * Number of changes by this instance that need a report to the workspace. Update times cannot
   * replace this count, because two changes may have the same time.
   */
  #changeCount = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get data(): ThreadData {
    this.#data ??= this.#read()
    return this.#data
  }

  /** Drops the cache, which may be wrong; the next access reads the row. */
  dropCache(): void {
    this.#data = null
    this.#deferred.clear()
  }

  /** Sets whether changes wait for write(). */
  deferWrites(isDeferring: boolean): void {
    this.#isDeferring = isDeferring
  }

  write(): void {
    if (this.#deferred.size === 0) return
    const assignments = [...this.#deferred.keys()].map((column) => `${column} = ?`).join(', ')
    this.#sql.exec(`UPDATE thread SET ${assignments}`, ...this.#deferred.values())
    this.#deferred.clear()
  }

  #read(): ThreadData {
    const { fork_thread, fork_message, fork_messages, ...row } = this.#sql
      .exec<ThreadColumns>(`SELECT ${columnsAs(KEYS)}, fork_thread, fork_message, fork_messages FROM thread`)
      .one()
    const { window, system, tools } = readWindow(this.#sql)
    return {
      ...row,
      window,
      system,
      tools,
      titled: row.titled === 1,
      metadata: readStored<Record<string, string>>(row.metadata) ?? {},
      allow: row.allow === null ? null : (JSON.parse(row.allow) as string[]),
      chosenTools: row.chosenTools === null ? null : (JSON.parse(row.chosenTools) as string[]),
      cachedPrompt: row.cachedPrompt === null ? null : readStored<CachedPrompt>(row.cachedPrompt),
      todos: row.todos === null ? null : readStored<readonly TodoItem[]>(row.todos),
      usage: readStored<Usage>(row.usage) ?? NO_USAGE,
      forkedFrom:
        fork_thread === null || fork_message === null
          ? null
          : { thread_id: fork_thread, message_id: fork_message, messages: fork_messages },
    }
  }

  /** Only this object writes the row, so the cache always equals the row. */
  #set(change: Partial<ThreadData>, columns: Readonly<Record<string, SqlStorageValue>> = {}): void {
    this.#data = { ...this.data, ...change }
    for (const [key, value] of Object.entries(change))
      if (ROW_KEYS.has(key)) this.#deferred.set(columnOf(key), toStoredValue(value))
    for (const [column, value] of Object.entries(columns)) this.#deferred.set(column, value)
    if (this.#isDeferring) return
    try {
      this.write()
    } catch (error) {
      this.dropCache()
      throw error
    }
  }

  /** True if no run has begun here, so nothing is frozen yet. */
  get hasNoPrefix(): boolean {
    return this.data.seenIndex === WITHOUT_PREFIX.seenIndex
  }

  /** Sets the prefix, with the first message. An interrupted attempt may be repeated. */
  freeze(created: ThreadData): void {
    const { system, tools, model, allow, chosenTools, catalogVersion, seenVersion, seenIndex } = created
    const metadata = { ...this.data.metadata, ...created.metadata }
    replaceFirstWindow(this.#sql, { ...created, catalogIndex: seenIndex })
    const window = { ...FIRST_WINDOW, catalogIndex: seenIndex }
    const known = { catalogVersion, seenVersion, seenIndex }
    this.#set({ window, system, tools, model, allow, chosenTools, metadata, ...known })
  }

  /**
   * Begins a new window. The caller must drop the transcript's cache in the same block. The new request is measured
   * anew, and nothing is known about its cache.
   */
  beginWindow(added: NewWindow): void {
    const { window, model, chosenTools, catalogVersion, system, tools } = added
    insertWindow(this.#sql, added)
    const measured = { contextTokens: 0, cachedPrompt: null }
    this.#set({ window, system, tools, model, chosenTools, catalogVersion, ...measured })
  }

  /** The number of the newest window that had begun when this run ended; `ord` is the run's number. */
  windowOfRun(ord: number): number {
    return this.data.window.number === 1 ? 1 : windowOfRun(this.#sql, ord)
  }

  /** The skills in the openings of windows that began in this run. */
  skillsOfRun(ord: number): ReturnType<typeof skillsOfRun> {
    return this.data.window.number === 1 ? [] : skillsOfRun(this.#sql, ord)
  }

  get changeCount(): number {
    return this.#changeCount
  }

  touch(at: number): void {
    this.#changeCount += 1
    this.#set({ updatedAt: at }, { listed: 0 })
  }

  /** `byPerson` is true if a person chose the title. Such a title is never changed automatically. */
  setTitle(title: string, byPerson: boolean): void {
    this.#changeCount += 1
    this.#set({ title, titled: byPerson }, { listed: 0 })
  }

  setMetadata(metadata: Readonly<Record<string, string>>): void {
    this.#set({ metadata })
  }

  /** Records that the model now knows this catalog. */
  setSeenCatalog(version: number, index: string): void {
    if (this.data.seenVersion === version && this.data.seenIndex === index) return
    this.#set({ seenVersion: version, seenIndex: index })
  }

  setUsage(contextTokens: number, usage: Usage, cachedPrompt = this.data.cachedPrompt): void {
    this.#set({ contextTokens, usage, cachedPrompt })
  }

  setTodos(todos: readonly TodoItem[]): void {
    this.#set({ todos })
  }

  countApprovalsChange(): void {
    this.#set({ approvalsChange: this.data.approvalsChange + 1 })
  }

  markApprovalsReported(change: number): void {
    this.#set({ approvalsReported: change })
  }

  /** Marks the thread for a new report without a new message. */
  requestListing(): void {
    this.#changeCount += 1
    this.#set({}, { listed: 0 })
  }

  /**
   * Records in one write that the workspace has the texts of messages up to this one and, if `listed` is
   * true, the newest state.
   */
  markReported(message: number, listed: boolean): void {
    const texts = message === this.data.textsReported ? {} : { textsReported: message }
    this.#set(texts, listed ? { listed: 1 } : {})
  }

  /** Records that event numbers up to `reservedTo` are reserved. */
  reserve(reservedTo: number): void {
    this.#set({}, { reserved_to: reservedTo })
  }

  get listed(): boolean {
    return this.#sql.exec('SELECT listed FROM thread').one()['listed'] === 1
  }
}

export function insertThread(sql: SqlStorage, thread: ThreadData): void {
  const fork = thread.forkedFrom
  const record = {
    ...thread,
    k: 1,
    fork_thread: fork?.thread_id ?? null,
    fork_message: fork?.message_id ?? null,
    fork_messages: fork?.messages ?? 0,
  }
  insertRow(sql, 'thread', ['k', ...KEYS, 'fork_thread', 'fork_message', 'fork_messages'], record)
  // A fork copies the windows of its source.
  if (fork === null) insertFirstWindow(sql, { ...thread, catalogIndex: thread.seenIndex })
}
