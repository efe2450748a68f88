// The message history, in a file that only its owner can read. Never stores what looks like a key, and never fails:
// an unreadable history counts as empty.

import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { CHAT_HISTORY_MAX, CHAT_HISTORY_MAX_BYTES } from './limits.ts'

/** Prefixes of common keys, and words that introduce one. */
const LIKE_A_KEY =
  /\b(?:sk|pk|rk)[-_][\w-]{8}|\bsatchel_\w{8}|\b(?:gh[a-z]|github_pat|glpat|xox[a-z])[-_]\w{8}|\bAKIA\w{8}|\bAIza\w{8}|\beyJ\w{8}|-----BEGIN|\bbearer\s+\S{8}|(?:key|token|secret|passw\w*)["']?\s*[:=]\s*\S{6}/i

export class InputHistory {
  readonly #file: string | null
  readonly #secrets: readonly string[]
  /** Oldest first. */
  #messages: string[]

  /** `file`: null keeps it in memory. `secrets`: values that no stored message may contain. */
  constructor(file: string | null, secrets: readonly string[]) {
    this.#file = file
    this.#secrets = secrets.filter((secret) => secret !== '')
    this.#messages = file === null ? [] : read(file)
  }

  /** Newest first, as readline expects. */
  newestFirst(): string[] {
    return this.#messages.toReversed()
  }

  add(message: string): void {
    if (message.trim() === '' || message === this.#messages.at(-1)) return
    if (LIKE_A_KEY.test(message) || this.#secrets.some((secret) => message.includes(secret))) return
    this.#messages.push(message)
    this.#messages = this.#messages.slice(-CHAT_HISTORY_MAX)
    if (this.#file === null) return
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      appendFileSync(this.#file, `${JSON.stringify(message)}\n`, { mode: 0o600 })
      chmodSync(this.#file, 0o600) // the file may have other permissions
      if (statSync(this.#file).size > CHAT_HISTORY_MAX_BYTES) writeFileSync(this.#file, this.#newest())
    } catch {
      // Kept in memory: a full or read-only disk must not prevent a conversation.
    }
  }

  /** The newest messages that fill half of the file's limit, so that it is rarely rewritten. */
  #newest(): string {
    let lines = ''
    for (const message of this.#messages.toReversed()) {
      const line = `${JSON.stringify(message)}\n`
      if (Buffer.byteLength(lines + line) > CHAT_HISTORY_MAX_BYTES / 2) break
      lines = line + lines
    }
    return lines
  }
}

function read(file: string): string[] {
  try {
    if (statSync(file).size > 2 * CHAT_HISTORY_MAX_BYTES) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(parsed).slice(-CHAT_HISTORY_MAX)
  } catch {
    return []
  }
}

/** A line that is no message, perhaps written in part, is left out. */
function parsed(line: string): string[] {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'string' ? [message] : []
  } catch {
    return []
  }
}
