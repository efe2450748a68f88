// Shows how far a backup or a restore is: on one line of a terminal, or as a line now and then.

import { throttled } from '../lib/paced.ts'
import { PROGRESS_LOG_MS, PROGRESS_TERMINAL_MS } from './limits.ts'

export interface ProgressLine {
  /** Shows where the work is, but not too often. */
  show(line: string): void
  /** Ends the line. Must be called before anything else is printed. */
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
