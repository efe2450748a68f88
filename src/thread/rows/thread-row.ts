// The one row that describes the thread, and its frozen prefix.

import { NO_USAGE, type Usage } from '../../agent/message.ts'
import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import { mayActAs } from '../../lib/caller.ts'
import type { ThreadInfo } from '../api.ts'
import type { CachedPrompt } from '../../agent/prompt-cache.ts'
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

interface ThreadColumns extends Record<string, SqlStorageValue> {
  id: string
  workspace: string
  owner: string
  user: string | null
  made_by: string
  title: string
  titled: number
  metadata: string
  created_at: number
  updated_at: number
  model: string
  system: string
  allow: string | null
  chosen_tools: string | null
  catalog_version: number
  seen_version: number
  seen_index: string
  context_tokens: number
  cached_prompt: string | null
  usage: string
  approvals_change: number
  approvals_heard: number
  texts_heard: number
  fork_thread: string | null
  fork_message: string | null
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

  /** The casts name the JSON that this file alone writes. */
  #read(): ThreadData {
    const row = this.#sql
      .exec<ThreadColumns>('SELECT thread.*, system FROM thread JOIN prefix USING (k)')
      .one()
    return {
      id: row.id,
      workspace: row.workspace,
      owner: row.owner,
      user: row.user,
      madeBy: row.made_by,
      title: row.title,
      titled: row.titled === 1,
      metadata: readStored<Record<string, string>>(row.metadata) ?? {},
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      model: row.model,
      system: row.system,
      tools: readTools(this.#sql),
      allow: row.allow === null ? null : (JSON.parse(row.allow) as string[]),
      chosenTools: row.chosen_tools === null ? null : (JSON.parse(row.chosen_tools) as string[]),
      catalogVersion: row.catalog_version,
      seenVersion: row.seen_version,
      seenIndex: row.seen_index,
      contextTokens: row.context_tokens,
      cachedPrompt: row.cached_prompt === null ? null : readStored<CachedPrompt>(row.cached_prompt),
      usage: readStored<Usage>(row.usage) ?? NO_USAGE,
      approvalsChange: row.approvals_change,
      approvalsHeard: row.approvals_heard,
      textsHeard: row.texts_heard,
      forkedFrom:
        row.fork_thread === null || row.fork_message === null
          ? null
          : { thread_id: row.fork_thread, message_id: row.fork_message },
    }
  }

  /** This object is the row's only writer: what is written is what the next reading would give. */
  #set(change: Partial<ThreadData>, columns: Readonly<Record<string, SqlStorageValue>>): void {
    this.#data = { ...this.data, ...change }
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
  freeze(born: ThreadData): void {
    const { system, tools, model, allow, chosenTools, catalogVersion, seenVersion, seenIndex } = born
    const metadata = { ...this.data.metadata, ...born.metadata }
    this.#sql.exec('UPDATE prefix SET system = ?', system)
    this.#sql.exec('DELETE FROM tools')
    insertTools(this.#sql, tools)
    this.#set(
      { system, tools, model, allow, chosenTools, metadata, catalogVersion, seenVersion, seenIndex },
      {
        model,
        allow: allow === null ? null : JSON.stringify(allow),
        chosen_tools: chosenTools === null ? null : JSON.stringify(chosenTools),
        metadata: JSON.stringify(metadata),
        catalog_version: catalogVersion,
        seen_version: seenVersion,
        seen_index: seenIndex,
      },
    )
  }

  get changes(): number {
    return this.#changes
  }

  touch(at: number): void {
    this.#changes += 1
    this.#set({ updatedAt: at }, { updated_at: at, listed: 0 })
  }

  /** `byHand`: a person named it, so it is never named again by itself. */
  title(title: string, byHand: boolean): void {
    this.#changes += 1
    this.#set({ title, titled: byHand }, { title, titled: byHand ? 1 : 0, listed: 0 })
  }

  metadata(metadata: Readonly<Record<string, string>>): void {
    this.#set({ metadata }, { metadata: JSON.stringify(metadata) })
  }

  /** The model knows this catalog now. */
  saw(version: number, index: string): void {
    if (this.data.seenVersion === version && this.data.seenIndex === index) return
    this.#set({ seenVersion: version, seenIndex: index }, { seen_version: version, seen_index: index })
  }

  used(contextTokens: number, usage: Usage, cachedPrompt = this.data.cachedPrompt): void {
    const cached = cachedPrompt && JSON.stringify(cachedPrompt)
    const columns = { context_tokens: contextTokens, usage: JSON.stringify(usage), cached_prompt: cached }
    this.#set({ contextTokens, usage, cachedPrompt }, columns)
  }

  approvalsChanged(): void {
    const approvalsChange = this.data.approvalsChange + 1
    this.#set({ approvalsChange }, { approvals_change: approvalsChange })
  }

  approvalsHeard(change: number): void {
    this.#set({ approvalsHeard: change }, { approvals_heard: change })
  }

  /** There is something new to report, though nothing was said. */
  relist(): void {
    this.#changes += 1
    this.#set({}, { listed: 0 })
  }

  /** The workspace heard the texts of messages up to this one; `listed`: and the newest state. In one write. */
  heard(message: number, listed: boolean): void {
    const texts = message === this.data.textsHeard ? {} : { texts_heard: message }
    this.#set({ textsHeard: message }, { ...texts, ...(listed ? { listed: 1 } : {}) })
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
  sql.exec(
    `INSERT INTO thread (k, id, workspace, owner, user, made_by, title, titled, metadata, created_at, updated_at, model, allow,
       chosen_tools, catalog_version, seen_version, seen_index, usage, fork_thread, fork_message)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    thread.id,
    thread.workspace,
    thread.owner,
    thread.user,
    thread.madeBy,
    thread.title,
    thread.titled ? 1 : 0,
    JSON.stringify(thread.metadata),
    thread.createdAt,
    thread.updatedAt,
    thread.model,
    thread.allow === null ? null : JSON.stringify(thread.allow),
    thread.chosenTools === null ? null : JSON.stringify(thread.chosenTools),
    thread.catalogVersion,
    thread.seenVersion,
    thread.seenIndex,
    JSON.stringify(thread.usage),
    thread.forkedFrom?.thread_id ?? null,
    thread.forkedFrom?.message_id ?? null,
  )
  sql.exec('INSERT INTO prefix (k, system) VALUES (1, ?)', thread.system)
  insertTools(sql, thread.tools)
}
