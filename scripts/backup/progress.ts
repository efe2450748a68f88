// Shows the progress of a backup or restore: on one line in a terminal, or as occasional lines elsewhere.

import { throttled } from '../lib/paced.ts'
import { PROGRESS_LOG_MS, PROGRESS_TERMINAL_MS } from './limits.ts'

export interface ProgressLine {
  /** Shows the current step, at limited intervals. */
  show(line: string): void
  /** Ends the line. Call this before printing anything else. */
  end(): void
}

export function terminalProgress(stream: NodeJS.WriteStream): ProgressLine {
  const { isTTY } = stream
  const write = (line: string): void => void stream.write(isTTY ? `\r\x1b[2K${line}` : `${line}\n`)
  return {
    show: throttled(isTTY ? PROGRESS_TERMINAL_MS : PROGRESS_LOG_MS, write),
    end: () => void (isTTY && stream.write('\r\x1b[2K')),
  }
}

/** A number of bytes for people, such as `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} KB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`
}
