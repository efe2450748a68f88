// The one row that describes the thread, and its frozen prefix.

import { NO_USAGE, type Usage } from '../../agent/message.ts'
import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import { mayActAs } from '../../lib/caller.ts'
import type { ThreadInfo } from '../api.ts'
import type { CachedPrompt } from '../../agent/prompt-cache.ts'
import { columnOf, columnsAs, insertRow, stored, type StoredRow } from './columns.ts'
import { readStored } from './stored.ts'
import { insertTools, readTools } from './tools.ts'

export interface ThreadData {
  readonly id: string
  readonly workspace: string
  readonly owner: string
  readonly user: string | null
  /** The key or hook that made it. */
  readonly madeBy: string
  readonly title: string
  readonly titled: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: number
  readonly updatedAt: number
  readonly model: string
  readonly system: string
  readonly tools: readonly ToolRow[]
  readonly allow: readonly string[] | null
  /** Names and groups as they were asked for; null: all. */
  readonly chosenTools: readonly string[] | null
  readonly catalogVersion: number
  readonly seenVersion: number
  readonly seenIndex: string
  readonly contextTokens: number
  /** What the provider remembers of the prompt; null: nothing that is known. */
  readonly cachedPrompt: CachedPrompt | null
  readonly usage: Usage
  /** Changes of its requests for approval, 0: there never was one; and how many of them the workspace heard of. */
  readonly approvalsChange: number
  readonly approvalsHeard: number
  /** Number of the last message whose text the workspace heard. */
  readonly textsHeard: number
  readonly forkedFrom: ThreadInfo['forked_from']
}

/** All that stands in the row but where it was forked from; the prefix has tables of its own. */
const KEYS = [
  ...(['id', 'workspace', 'owner', 'user', 'madeBy', 'title', 'titled', 'metadata', 'createdAt'] as const),
  ...(['updatedAt', 'model', 'allow', 'chosenTools', 'catalogVersion', 'seenVersion', 'seenIndex'] as const),
  ...(['contextTokens', 'cachedPrompt', 'usage', 'approvalsChange', 'approvalsHeard', 'textsHeard'] as const),
]
const ROW_KEYS: ReadonlySet<string> = new Set(KEYS)

/** The casts of what is read from it name the JSON that this file alone writes. */
type ThreadColumns = StoredRow<Pick<ThreadData, (typeof KEYS)[number]>> & {
  readonly system: string
  readonly fork_thread: string | null
  readonly fork_message: string | null
}

/** Of a thread that no run has begun in yet: which catalog and prefix it gets is decided when one does. */
export const WITHOUT_PREFIX = {
  system: '',
  tools: [],
  catalogVersion: 0,
  seenVersion: 0,
  seenIndex: '',
} as const

/** Whom a thread belongs to: the user its key acts for, or the key itself. */
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
  /** Columns that a block changed and that are written at its end. */
  readonly #held = new Map<string, SqlStorageValue>()
  #holding = false
  /** How often this instance wrote what is yet to be reported to the workspace: times may be equal. */
  #changes = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get data(): ThreadData {
    this.#data ??= this.#read()
    return this.#data
  }

  /** What is kept in memory may be wrong: the row says what is right. */
  reread(): void {
    this.#data = null
    this.#held.clear()
  }

  /** From now on, or no more, changes wait for write(). */
  hold(holding: boolean): void {
    this.#holding = holding
  }

  write(): void {
    if (this.#held.size === 0) return
    const assignments = [...this.#held.keys()].map((column) => `${column} = ?`).join(', ')
    this.#sql.exec(`UPDATE thread SET ${assignments}`, ...this.#held.values())
    this.#held.clear()
  }

  #read(): ThreadData {
    const { fork_thread, fork_message, ...row } = this.#sql
      .exec<ThreadColumns>(
        `SELECT ${columnsAs(KEYS)}, fork_thread, fork_message, system FROM thread JOIN prefix USING (k)`,
      )
      .one()
    return {
      ...row,
      titled: row.titled === 1,
      metadata: readStored<Record<string, string>>(row.metadata) ?? {},
      tools: readTools(this.#sql),
      allow: row.allow === null ? null : (JSON.parse(row.allow) as string[]),
      chosenTools: row.chosenTools === null ? null : (JSON.parse(row.chosenTools) as string[]),
      cachedPrompt: row.cachedPrompt === null ? null : readStored<CachedPrompt>(row.cachedPrompt),
      usage: readStored<Usage>(row.usage) ?? NO_USAGE,
      forkedFrom:
        fork_thread === null || fork_message === null
          ? null
          : { thread_id: fork_thread, message_id: fork_message },
    }
  }

  /** This object is the row's only writer: what is written is what the next reading would give. */
  #set(change: Partial<ThreadData>, columns: Readonly<Record<string, SqlStorageValue>> = {}): void {
    this.#data = { ...this.data, ...change }
    for (const [key, value] of Object.entries(change))
      if (ROW_KEYS.has(key)) this.#held.set(columnOf(key), stored(value))
    for (const [column, value] of Object.entries(columns)) this.#held.set(column, value)
    if (this.#holding) return
    try {
      this.write()
    } catch (error) {
      this.reread()
      throw error
    }
  }

  /** No run has begun here yet, so nothing is frozen. */
  get isBare(): boolean {
    return this.data.seenIndex === WITHOUT_PREFIX.seenIndex
  }

  /** What a thread without a prefix gets with its first message, once; one that broke half way is done over. */
  freeze(created: ThreadData): void {
    const { system, tools, model, allow, chosenTools, catalogVersion, seenVersion, seenIndex } = created
    const metadata = { ...this.data.metadata, ...created.metadata }
    this.#sql.exec('UPDATE prefix SET system = ?', system)
    this.#sql.exec('DELETE FROM tools')
    insertTools(this.#sql, tools)
    this.#set({ system, tools, model, allow, chosenTools, metadata, catalogVersion, seenVersion, seenIndex })
  }

  get changes(): number {
    return this.#changes
  }

  touch(at: number): void {
    this.#changes += 1
    this.#set({ updatedAt: at }, { listed: 0 })
  }

  /** `byHand`: a person named it, so it is never named again by itself. */
  title(title: string, byHand: boolean): void {
    this.#changes += 1
    this.#set({ title, titled: byHand }, { listed: 0 })
  }

  metadata(metadata: Readonly<Record<string, string>>): void {
    this.#set({ metadata })
  }

  /** The model knows this catalog now. */
  saw(version: number, index: string): void {
    if (this.data.seenVersion === version && this.data.seenIndex === index) return
    this.#set({ seenVersion: version, seenIndex: index })
  }

  used(contextTokens: number, usage: Usage, cachedPrompt = this.data.cachedPrompt): void {
    this.#set({ contextTokens, usage, cachedPrompt })
  }

  approvalsChanged(): void {
    this.#set({ approvalsChange: this.data.approvalsChange + 1 })
  }

  approvalsHeard(change: number): void {
    this.#set({ approvalsHeard: change })
  }

  /** There is something new to report, though nothing was said. */
  relist(): void {
    this.#changes += 1
    this.#set({}, { listed: 0 })
  }

  /** The workspace heard the texts of messages up to this one; `listed`: and the newest state. In one write. */
  heard(message: number, listed: boolean): void {
    const texts = message === this.data.textsHeard ? {} : { textsHeard: message }
    this.#set(texts, listed ? { listed: 1 } : {})
  }

  /** Promises event numbers up to here. */
  reserve(reservedTo: number): void {
    this.#set({}, { reserved_to: reservedTo })
  }

  get listed(): boolean {
    return this.#sql.exec('SELECT listed FROM thread').one()['listed'] === 1
  }
}

export function insertThread(sql: SqlStorage, thread: ThreadData): void {
  const { thread_id: fork_thread = null, message_id: fork_message = null } = thread.forkedFrom ?? {}
  const record = { ...thread, k: 1, fork_thread, fork_message }
  insertRow(sql, 'thread', ['k', ...KEYS, 'fork_thread', 'fork_message'], record)
  sql.exec('INSERT INTO prefix (k, system) VALUES (1, ?)', thread.system)
  insertTools(sql, thread.tools)
}
