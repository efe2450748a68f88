// A file of the next message, as the message form shows it. Pure. attachments.ts uploads it.

import { formatSize } from '../../lib/format.ts'
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
  readonly state: 'waiting' | 'uploading' | 'storing' | 'done' | 'failed' | 'removing'
  /** The uploaded fraction, from 0 to 1. */
  readonly fraction: number
  /** Why the file could not be uploaded or removed; '' if nothing is wrong. */
  readonly error: string
  readonly mayRetry: boolean
  /** The text of a long paste, which can be moved back to the box; null for real files. */
  readonly text: string | null
  /** The bytes, if this browser has them. */
  readonly content: Blob | null
  /** The file as stored on the server; null until it is uploaded. */
  readonly uploaded: SentFile | null
}

/** Whether the message must still wait for the file. */
export function isOnItsWay({ state }: Chip): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'storing'
}

export function newChip(key: string, file: LocalFile, text: string | null): Chip {
  return {
    key,
    name: file.name,
    bytes: file.size,
    state: 'waiting',
    fraction: 0,
    error: '',
    mayRetry: true,
    text,
    content: file instanceof Blob ? file : null,
    uploaded: null,
  }
}

/** Creates a chip for a file that is already in the thread. */
export function chipForFile(key: string, file: SentFile): Chip {
  const name = nameOf(file.path)
  return { ...newChip(key, { name, size: file.bytes }, null), state: 'done', fraction: 1, uploaded: file }
}

/** The size and state of a chip as text. */
export function describeChip({ bytes, state, fraction, error }: Chip): string {
  const stateText = {
    waiting: 'is waiting',
    uploading: `Uploading, ${Math.floor(fraction * 100)}%`,
    storing: 'is being stored',
    done: error,
    failed: error,
    removing: 'is being removed',
  }[state]
  // A file that failed to upload is not stored, so its size is left out.
  return [state === 'failed' ? '' : formatSize(bytes), stateText].filter(Boolean).join(' · ')
}
