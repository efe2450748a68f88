// A client whose commands write hundreds of files each, one command at a time, alternating between shell, Python and
// JavaScript. Reports when a command is running, and which tree is expected: the one before it, or the one after it.

import { performance } from 'node:perf_hooks'

import { sha256Hex } from '../../../src/lib/bytes.ts'
import { withRetries } from '../../../src/client/retries.ts'
import { clientOf } from '../rig/satchel.ts'
import { followRun, type ClientOutcome, type FollowedRun } from './clients.ts'
import { commandMessage, COMMAND_LANGUAGES, treeAfter, type CommandLanguage } from './command-story.ts'

import type { Client } from '../../../src/client/client.ts'
import type { Event } from '../../../src/agent/events.ts'
import type { Checks } from './check-list.ts'

const TREE_INVARIANT = 'the tree is the one before or after the command'
const RESULT_INVARIANT = 'a result matches the state of the tree'
/** Maximum number of attempts to get two equal lists in a row. The tree changes only once in a command. */
const LISTINGS_MAX = 4

/** The assumed duration of a command in ms, until some were measured. */
const ASSUMED_COMMAND_MS = 1_000

interface RunningCommand {
  readonly language: CommandLanguage
  readonly began: number
}

/** Paths, sizes and SHA-256, one file per line. */
type Listing = string

async function listingOf(keys: readonly string[]): Promise<Listing> {
  // The texts are ASCII, so characters are bytes.
  const lines = [...treeAfter(keys)].map(
    async ([path, text]) => `${path} ${text.length} ${await sha256Hex(text)}`,
  )
  return (await Promise.all(lines)).toSorted().join('\n')
}

/** The first line that only one of the texts has. */
function difference(actual: Listing, wanted: Listing): string {
  const [here, there] = [actual.split('\n'), wanted.split('\n')]
  const extra = here.filter((line) => !there.includes(line))
  const missing = there.filter((line) => !here.includes(line))
  return `${extra.length} lines too many (${extra[0] ?? ''}), ${missing.length} missing (${missing[0] ?? ''})`
}

export class Writer {
  readonly #client: Client
  readonly #name: string
  readonly #checks: Checks
  readonly #runs: FollowedRun[] = []
  readonly #problems: string[] = []
  readonly #usualMs = new Map<CommandLanguage, number>()
  #thread = ''
  #reconnects = 0
  /** The keys of the commands whose changes are in the tree. */
  #done: readonly string[] = []
  /** The keys if the running command's changes are applied, too. */
  #next: readonly string[] = []
  #runningCommand: RunningCommand | null = null
  #killed = 0
  #treeCheck: Promise<unknown> = Promise.resolve()
  /** The outcomes of finished calls. */
  readonly ends: string[] = []

  constructor(url: string, name: string, checks: Checks) {
    this.#client = clientOf(url)
    this.#name = name
    this.#checks = checks
  }

  /** The running command, according to its events, and the usual duration of similar ones. */
  get runningCommand(): (RunningCommand & { readonly usualMs: number }) | null {
    const now = this.#runningCommand
    return now && { ...now, usualMs: this.#usualMs.get(now.language) ?? ASSUMED_COMMAND_MS }
  }

  /** Called when the server was killed. Returns true if a command of this client was running. */
  onKill(): boolean {
    if (this.#runningCommand === null) return false
    this.#runningCommand = null
    this.#killed += 1
    return true
  }

  /** Lists the tree, even during a run. The next command does not begin meanwhile. */
  async checkTree(): Promise<void> {
    const [done, next] = [this.#done, this.#next]
    this.#treeCheck = (async () => {
      const actual = await this.#held()
      const wanted = [await listingOf(done), await listingOf(next)]
      const where = `${this.#name}, ${next.at(-1)}`
      this.#checks.note(
        TREE_INVARIANT,
        where,
        wanted.includes(actual) ? null : difference(actual, wanted[0] ?? ''),
      )
    })().catch((error: unknown) => this.#problems.push(`${this.#name}: ${String(error)}`))
    await this.#treeCheck
  }

  /** Writes until `isOver` returns true, and follows the last command to its end. */
  async run(isOver: () => boolean): Promise<ClientOutcome> {
    const created = await withRetries(async () => this.#client.createThread(), this.#client.wait)
    if (!created.ok) throw new Error(`no thread was made: ${JSON.stringify(created.error)}`)
    this.#thread = created.value
    for (let count = 0; !isOver(); count++) {
      const language = COMMAND_LANGUAGES[count % COMMAND_LANGUAGES.length] ?? 'shell'
      await this.#command(`${this.#name}-${count}`, language)
      await this.#treeCheck
    }
    const threadId = this.#thread
    const uploaded = [...treeAfter(this.#done)].map(([path, text]) => ({ threadId, path, text }))
    return {
      runs: this.#runs,
      uploaded,
      problems: this.#problems,
      reconnects: this.#reconnects,
    }
  }

  async #command(key: string, language: CommandLanguage): Promise<void> {
    this.#next = [...this.#done, key]
    this.#killed = 0
    const request = { message: commandMessage(language, key), thread_id: this.#thread }
    const followed = await followRun(this.#client, key, request, {
      onEvent: (event) => this.#see(event, language),
      onReconnect: () => this.#reconnects++,
    })
    this.#runningCommand = null
    await this.#treeCheck
    if (!followed.ok) {
      this.#problems.push(followed.error)
      return
    }
    const { end, events } = followed.value
    const { threadId, runId, terminal } = end
    this.#runs.push({ key, threadId, runId, writes: false, status: terminal.type, readers: [events] })
    await this.#checkResult(key, events, terminal.type)
  }

  #see(event: Event, language: CommandLanguage): void {
    const now = performance.now()
    if (event.type === 'tool.started') this.#runningCommand = { language, began: now }
    if (event.type !== 'tool.completed') return
    // A command that was killed took longer, so its duration does not count.
    if (this.#runningCommand) {
      const ms = now - this.#runningCommand.began
      this.#usualMs.set(language, Math.min(ms, this.#usualMs.get(language) ?? ms))
    }
    this.#runningCommand = null
  }

  /** After the run: the tree must remain one of the two, and must match the result. */
  async #checkResult(key: string, events: readonly Event[], status: string): Promise<void> {
    const results = events.flatMap((event) => (event.type === 'tool.completed' ? [event] : []))
    const actual = await this.#held()
    const after = await listingOf(this.#next)
    const before = await listingOf(this.#done)
    const changed = actual === after
    this.#checks.note(TREE_INVARIANT, key, changed || actual === before ? null : difference(actual, after))
    const successes = results.map(({ is_error }) => !is_error)
    const isConsistent =
      successes.length === 0 ? status !== 'run.completed' : successes.length === 1 && successes[0] === changed
    const summary = `${status}, ${results.map(({ preview }) => preview.slice(0, 120)).join(' | ')}`
    this.#checks.note(
      RESULT_INVARIANT,
      key,
      isConsistent ? null : `${summary}, and the tree is the one ${changed ? 'after' : 'before'}`,
    )
    const end = successes[0] === true ? 'done' : successes[0] === false ? 'refused' : 'no result'
    this.ends.push(`${end}${this.#killed > 0 ? ' after a kill' : ''}`)
    if (end === 'refused') console.log(`  ${key}: ${summary}`)
    if (changed) this.#done = this.#next
  }

  async #held(): Promise<Listing> {
    let last: Listing | null = null
    for (let checkTree = 0; checkTree < LISTINGS_MAX; checkTree++) {
      const files = await withRetries(async () => this.#client.listFiles(this.#thread), this.#client.wait)
      if (!files.ok) throw new Error(`the files cannot be listed: ${JSON.stringify(files.error)}`)
      const listing = files.value
        .map(({ path, bytes, sha256 }) => `${path} ${bytes} ${sha256}`)
        .toSorted()
        .join('\n')
      if (listing === last) return listing
      last = listing
    }
    throw new Error('the files never stayed the same for two looks')
  }
}
