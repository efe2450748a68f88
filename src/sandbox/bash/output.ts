// A shell's output: streamed in batches and counted against the limit. The complete output is assembled at
// the end.

import { BASH_PROGRESS_BYTES } from './limits.ts'
import type { ShellResult } from './shell.js'
import { append, fromText } from './text-of-bytes.ts'

export class ShellOutput {
  readonly #maxBytes: number
  readonly #send: (text: string) => Promise<void>
  readonly #onLimit: () => void
  #stdout = ''
  #stderr = ''
  #pendingText = ''
  #finalMessage = ''
  /** Batches that are not delivered yet. */
  readonly #undelivered = new Set<Promise<void>>()

  constructor(maxBytes: number, send: (text: string) => Promise<void>, onLimit: () => void) {
    this.#maxBytes = maxBytes
    this.#send = send
    this.#onLimit = onLimit
  }

  /** Adds the output of a statement of the script. `streamed` means that it was already shown. */
  statementEnded({ stdout, stderr }: ShellResult, streamed: boolean): void {
    const bytesLeft = this.#maxBytes - this.#stdout.length - this.#stderr.length
    if (bytesLeft < 0) return
    this.#stdout += stdout
    this.#stderr += stderr
    if (!streamed) this.#pendingText += truncate(stdout + stderr, bytesLeft)
    if (stdout.length + stderr.length > bytesLeft) this.#onLimit()
    if (this.#pendingText.length >= BASH_PROGRESS_BYTES) this.flush()
  }

  /** Appends Satchel's own message to stderr, beyond the limit. */
  append(message: string): void {
    this.#finalMessage = message
  }

  flush(): void {
    if (this.#pendingText === '') return
    const delivery = this.#send(this.#pendingText)
      // A caller that stopped listening still gets the complete output in the result.
      .catch(() => {})
      .finally(() => this.#undelivered.delete(delivery))
    this.#undelivered.add(delivery)
    this.#pendingText = ''
  }

  /**
   * Streams the remaining output and returns all output, truncated to the limit. `shellOutput` is the shell's own
   * complete output, or null if it was stopped.
   */
  async end(shellOutput: ShellResult | null): Promise<{ stdout: Uint8Array; stderr: Uint8Array }> {
    // A stopped shell may return less than it streamed.
    const complete = (shellOutput?.stdout.length ?? 0) >= this.#stdout.length ? shellOutput : null
    const unstreamed =
      shellOutput && !complete ? shellOutput.stderr : (complete?.stderr.slice(this.#stderr.length) ?? '')
    this.#pendingText += (complete?.stdout.slice(this.#stdout.length) ?? '') + unstreamed
    this.#pendingText = truncate(this.#pendingText, this.#maxBytes) + this.#finalMessage
    this.flush()
    await Promise.all(this.#undelivered)
    const encoding = complete?.stdoutKind === 'bytes' ? 'latin1' : 'utf8'
    const stdout = fromText(truncate(complete?.stdout ?? this.#stdout, this.#maxBytes), encoding).subarray(
      0,
      this.#maxBytes,
    )
    const errors = complete?.stderr ?? this.#stderr + unstreamed
    const stderr = fromText(truncate(errors, this.#maxBytes), 'utf8').subarray(
      0,
      this.#maxBytes - stdout.length,
    )
    return { stdout, stderr: append(stderr.slice(), fromText(this.#finalMessage, 'utf8')) }
  }

  /** Whether the complete output exceeds the limit. */
  exceedsLimit({ stdout, stderr }: ShellResult): boolean {
    return stdout.length + stderr.length > this.#maxBytes
  }
}

function truncate(text: string, maxBytes: number): string {
  return text.length > maxBytes ? text.slice(0, maxBytes) : text
}
