// Stores the message history in a file that only its owner can read. Never stores text that looks like a key,
// and never fails: an unreadable history counts as empty.

import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { CHAT_HISTORY_MAX_MESSAGES, CHAT_HISTORY_MAX_BYTES } from './limits.ts'

/** Matches prefixes of common keys, and words that introduce a key. */
const KEY_PATTERN =
  /\b(?:sk|pk|rk)[-_][\w-]{8}|\bsatchel_\w{8}|\b(?:gh[a-z]|github_pat|glpat|xox[a-z])[-_]\w{8}|\bAKIA\w{8}|\bAIza\w{8}|\beyJ\w{8}|-----BEGIN|\bbearer\s+\S{8}|(?:key|token|secret|passw\w*)["']?\s*[:=]\s*\S{6}/i

export class InputHistory {
  readonly #file: string | null
  readonly #secrets: readonly string[]
  /** Oldest first. */
  #messages: string[]

  /**
   * If `file` is null, the history is only kept in memory. Messages that contain one of `secrets` are not
   * stored.
   */
  constructor(file: string | null, secrets: readonly string[]) {
    this.#file = file
    this.#secrets = secrets.filter((secret) => secret !== '')
    this.#messages = file === null ? [] : readMessages(file)
  }

  /** Newest first, as readline expects. */
  newestFirst(): string[] {
    return this.#messages.toReversed()
  }

  add(message: string): void {
    if (message.trim() === '' || message === this.#messages.at(-1)) return
    if (KEY_PATTERN.test(message) || this.#secrets.some((secret) => message.includes(secret))) return
    this.#messages.push(message)
    this.#messages = this.#messages.slice(-CHAT_HISTORY_MAX_MESSAGES)
    if (this.#file === null) return
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      appendFileSync(this.#file, `${JSON.stringify(message)}\n`, { mode: 0o600 })
      chmodSync(this.#file, 0o600) // an existing file may have other permissions
      if (statSync(this.#file).size > CHAT_HISTORY_MAX_BYTES) writeFileSync(this.#file, this.#newestLines())
    } catch {
      // The message stays in memory: a full or read-only disk must not prevent a conversation.
    }
  }

  /** The newest messages, up to half of the file's limit, so that the file is rarely rewritten. */
  #newestLines(): string {
    let lines = ''
    for (const message of this.#messages.toReversed()) {
      const line = `${JSON.stringify(message)}\n`
      if (Buffer.byteLength(lines + line) > CHAT_HISTORY_MAX_BYTES / 2) break
      lines = line + lines
    }
    return lines
  }
}

function readMessages(file: string): string[] {
  try {
    if (statSync(file).size > 2 * CHAT_HISTORY_MAX_BYTES) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(parseLine).slice(-CHAT_HISTORY_MAX_MESSAGES)
  } catch {
    return []
  }
}

/** Parses one line of the file; an invalid line (it may have been written only in part) is skipped. */
function parseLine(line: string): string[] {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'string' ? [message] : []
  } catch {
    return []
  }
}
