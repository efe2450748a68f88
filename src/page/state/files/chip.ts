// One file of the next message, as the message form shows it. Pure. attachments.ts uploads it.

import { size } from '../../lib/format.ts'
import { nameOf, type SentFile } from '../../run/files.ts'

/** A file from a paste, a drop or a file dialog. */
export interface LocalFile {
  readonly name: string
  readonly size: number
}

export interface Chip {
  /** Stable for the life of the chip. */
  readonly key: string
  readonly name: string
  readonly bytes: number
  readonly state: 'waiting' | 'uploading' | 'keeping' | 'done' | 'failed' | 'leaving'
  /** The uploaded fraction, 0 to 1. */
  readonly part: number
  /** Why it failed or could not be removed; '' if nothing is wrong. */
  readonly why: string
  readonly mayRetry: boolean
  /** The text of a long paste, which can return to the box; null for real files. */
  readonly text: string | null
  /** The stored file; null until uploaded. */
  readonly uploaded: SentFile | null
}

export function newChip(key: string, file: LocalFile, text: string | null): Chip {
  return {
    key,
    name: file.name,
    bytes: file.size,
    state: 'waiting',
    part: 0,
    why: '',
    mayRetry: true,
    text,
    uploaded: null,
  }
}

/** A chip for a file that the thread already has. */
export function chipOf(key: string, file: SentFile): Chip {
  const name = nameOf(file.path)
  return { ...newChip(key, { name, size: file.bytes }, null), state: 'done', part: 1, uploaded: file }
}

/** Size and state as text. */
export function aboutChip({ bytes, state, part, why }: Chip): string {
  const progressOf = {
    waiting: 'waits',
    uploading: `${Math.floor(part * 100)} % uploaded`,
    keeping: 'is being stored',
    done: why,
    failed: why,
    leaving: 'is being removed',
  }[state]
  return [size(bytes), progressOf].filter(Boolean).join(' · ')
}
