// What a shell says, as it says it: told on in batches, counted against the limit. The whole is made at the end.

import { BASH_PROGRESS_BYTES } from './limits.ts'
import type { Said } from './shell.js'
import { append, fromText } from './text-of-bytes.ts'

export class ShellOutput {
  readonly #most: number
  readonly #tell: (text: string) => Promise<void>
  readonly #full: () => void
  #stdout = ''
  #stderr = ''
  #waiting = ''
  #last = ''
  /** What is told and not yet heard. */
  readonly #told = new Set<Promise<void>>()

  constructor(most: number, tell: (text: string) => Promise<void>, full: () => void) {
    this.#most = most
    this.#tell = tell
    this.#full = full
  }

  /** A statement of the script has ended. `told`: what it said was shown as it came. */
  said({ stdout, stderr }: Said, told: boolean): void {
    const room = this.#most - this.#stdout.length - this.#stderr.length
    if (room < 0) return
    this.#stdout += stdout
    this.#stderr += stderr
    if (!told) this.#waiting += cut(stdout + stderr, room)
    if (stdout.length + stderr.length > room) this.#full()
    if (this.#waiting.length >= BASH_PROGRESS_BYTES) this.flush()
  }

  /** Words of our own, which stand last on stderr, over the limit. */
  say(words: string): void {
    this.#last = words
  }

  flush(): void {
    if (this.#waiting === '') return
    const told = this.#tell(this.#waiting)
      // Whoever no longer listens gets the whole at the end, or needs it no more.
      .catch(() => {})
      .finally(() => this.#told.delete(told))
    this.#told.add(told)
    this.#waiting = ''
  }

  /** The end: `all` is what the shell gives as a whole, or null where it was stopped. No more than the limit. */
  async end(all: Said | null): Promise<{ stdout: Uint8Array; stderr: Uint8Array }> {
    // A shell that was stopped may give less than it said.
    const whole = (all?.stdout.length ?? 0) >= this.#stdout.length ? all : null
    const words = all && !whole ? all.stderr : (whole?.stderr.slice(this.#stderr.length) ?? '')
    this.#waiting += (whole?.stdout.slice(this.#stdout.length) ?? '') + words
    this.#waiting = cut(this.#waiting, this.#most) + this.#last
    this.flush()
    await Promise.all(this.#told)
    const encoding = whole?.stdoutKind === 'bytes' ? 'latin1' : 'utf8'
    const stdout = fromText(cut(whole?.stdout ?? this.#stdout, this.#most), encoding).subarray(0, this.#most)
    const said = whole?.stderr ?? this.#stderr + words
    const stderr = fromText(cut(said, this.#most), 'utf8').subarray(0, this.#most - stdout.length)
    return { stdout, stderr: append(stderr.slice(), fromText(this.#last, 'utf8')) }
  }

  /** Whether the whole is more than the limit. */
  tooMuch({ stdout, stderr }: Said): boolean {
    return stdout.length + stderr.length > this.#most
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) : text
}
