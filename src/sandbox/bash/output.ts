// A shell's output: streamed in batches and counted against the limit. The complete output is assembled at
// the end.

import { BASH_PROGRESS_BYTES } from './limits.ts'
import type { ShellResult } from './shell.js'
import { append, fromText } from './text-of-bytes.ts'

export class ShellOutput {
  readonly #maxBytes: number
  readonly #send: (text: string) => Promise<void>
  readonly #full: () => void
  #stdout = ''
  #stderr = ''
  #waiting = ''
  #last = ''
  /** Batches that are not delivered yet. */
  readonly #undelivered = new Set<Promise<void>>()

  constructor(maxBytes: number, send: (text: string) => Promise<void>, full: () => void) {
    this.#maxBytes = maxBytes
    this.#send = send
    this.#full = full
  }

  /** A statement of the script has ended. `streamed`: its output was already shown. */
  statementEnded({ stdout, stderr }: ShellResult, streamed: boolean): void {
    const room = this.#maxBytes - this.#stdout.length - this.#stderr.length
    if (room < 0) return
    this.#stdout += stdout
    this.#stderr += stderr
    if (!streamed) this.#waiting += cut(stdout + stderr, room)
    if (stdout.length + stderr.length > room) this.#full()
    if (this.#waiting.length >= BASH_PROGRESS_BYTES) this.flush()
  }

  /** Appends Satchel's own message to stderr, beyond the limit. */
  append(message: string): void {
    this.#last = message
  }

  flush(): void {
    if (this.#waiting === '') return
    const delivery = this.#send(this.#waiting)
      // A caller that stopped listening still gets the complete output in the result.
      .catch(() => {})
      .finally(() => this.#undelivered.delete(delivery))
    this.#undelivered.add(delivery)
    this.#waiting = ''
  }

  /**
   * Finishes the output. `all` is the shell's complete output, or null if it was stopped. Truncates to the
   * limit.
   */
  async end(all: ShellResult | null): Promise<{ stdout: Uint8Array; stderr: Uint8Array }> {
    // A stopped shell may return less than it streamed.
    const whole = (all?.stdout.length ?? 0) >= this.#stdout.length ? all : null
    const unstreamed = all && !whole ? all.stderr : (whole?.stderr.slice(this.#stderr.length) ?? '')
    this.#waiting += (whole?.stdout.slice(this.#stdout.length) ?? '') + unstreamed
    this.#waiting = cut(this.#waiting, this.#maxBytes) + this.#last
    this.flush()
    await Promise.all(this.#undelivered)
    const encoding = whole?.stdoutKind === 'bytes' ? 'latin1' : 'utf8'
    const stdout = fromText(cut(whole?.stdout ?? this.#stdout, this.#maxBytes), encoding).subarray(
      0,
      this.#maxBytes,
    )
    const errors = whole?.stderr ?? this.#stderr + unstreamed
    const stderr = fromText(cut(errors, this.#maxBytes), 'utf8').subarray(0, this.#maxBytes - stdout.length)
    return { stdout, stderr: append(stderr.slice(), fromText(this.#last, 'utf8')) }
  }

  /** Whether the complete output exceeds the limit. */
  tooMuch({ stdout, stderr }: ShellResult): boolean {
    return stdout.length + stderr.length > this.#maxBytes
  }
}

function cut(text: string, maxBytes: number): string {
  return text.length > maxBytes ? text.slice(0, maxBytes) : text
}
