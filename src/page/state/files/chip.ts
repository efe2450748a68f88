// One file that goes with a message, as the composer shows it. Pure; uploading is attachments.ts.

import { size } from '../../lib/format.ts'
import { nameOf, type SentFile } from '../../run/files.ts'

/** What a chip is made of; anything that comes out of a paste, a drop or a chooser. */
export interface LocalFile {
  readonly name: string
  readonly size: number
}

export interface Chip {
  /** The same for the life of the chip. */
  readonly key: string
  readonly name: string
  readonly bytes: number
  readonly state: 'waiting' | 'uploading' | 'keeping' | 'done' | 'failed' | 'leaving'
  /** How much of it has left, from 0 to 1. */
  readonly part: number
  /** Why it failed, or could not be taken off; '' nothing is wrong. */
  readonly why: string
  readonly mayRetry: boolean
  /** A long paste, which may become text again; null: it was a file from the start. */
  readonly text: string | null
  /** Where it lies; null: not yet. */
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

/** A file that lies in the thread already and goes with the next message. */
export function chipOf(key: string, file: SentFile): Chip {
  const name = nameOf(file.path)
  return { ...newChip(key, { name, size: file.bytes }, null), state: 'done', part: 1, uploaded: file }
}

/** Size and state in words. */
export function aboutChip({ bytes, state, part, why }: Chip): string {
  const doing = {
    waiting: 'waits',
    uploading: `${Math.floor(part * 100)} % uploaded`,
    keeping: 'is being kept',
    done: why,
    failed: why,
    leaving: 'is taken off',
  }[state]
  return [size(bytes), doing].filter(Boolean).join(' · ')
}
