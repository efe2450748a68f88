// Who has a document read next: one key has one at a time, so that what is slow to read holds up nobody but its sender.

import { WeightedSemaphore, lookEvery } from '../../lib/weighted-semaphore.ts'
import { systemClock } from '../../lib/clock.ts'
import { err } from '../../lib/result.ts'
import { SEMAPHORE_LOOK_MS } from '../../limits/runs.ts'
import { BUSY_READING } from '../reading-queue.ts'
import type { DocumentKind, DocumentReader } from './document.ts'
import { DOCUMENT_QUEUE } from './limits.ts'

interface Turns {
  readonly lane: WeightedSemaphore
  /** Of each reader: when it is free at the latest; whoever was cut off does not say so. */
  readonly busyUntil: number[]
}

/** Shared by the objects of an isolate, as the readers' own isolates are. By bundle: PDFs do not wait for pages. */
const turns = new Map<string, Turns>()

function turnsOf(kind: DocumentKind): Turns {
  const bundle = kind === 'pdf' || kind === 'html' ? kind : 'documents'
  const made = turns.get(bundle) ?? {
    lane: new WeightedSemaphore(DOCUMENT_QUEUE, systemClock, lookEvery(SEMAPHORE_LOOK_MS)),
    busyUntil: Array.from({ length: DOCUMENT_QUEUE.bytes }, () => 0),
  }
  turns.set(bundle, made)
  return made
}

/** `readerAt`: the reader of a place, of which there are DOCUMENT_QUEUE.bytes. The wait is no time of the call. */
export function inTurns(readerAt: (place: number) => DocumentReader): DocumentReader {
  return {
    async read(kind, bytes, asked, hints) {
      const { lane, busyUntil } = turnsOf(kind)
      const holder = { key: '', thread: '', ...asked.queue, signal: asked.signal }
      const read = await lane.holding(holder, 1, async () => {
        const place = busyUntil.indexOf(Math.min(...busyUntil))
        const until = systemClock() + DOCUMENT_QUEUE.heldMs
        busyUntil[place] = until
        try {
          return await readerAt(place).read(kind, bytes, asked, hints)
        } finally {
          if (busyUntil[place] === until) busyUntil[place] = 0
        }
      })
      return read.ok ? read.value : err(BUSY_READING)
    },
  }
}
