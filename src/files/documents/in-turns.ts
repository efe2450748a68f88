// Schedules the reading of documents. Each key reads one document at a time, so that a slow document delays only its sender.

import { WeightedSemaphore, pollEvery } from '../../lib/weighted-semaphore.ts'
import { systemClock } from '../../lib/clock.ts'
import { err } from '../../lib/result.ts'
import { SEMAPHORE_POLL_INTERVAL_MS } from '../../limits/runs.ts'
import { BUSY_READING } from '../reading-queue.ts'
import type { DocumentKind, DocumentReader } from './document.ts'
import { DOCUMENT_QUEUE } from './limits.ts'

interface ReaderPool {
  readonly semaphore: WeightedSemaphore
  /** For each reader: the latest time at which it becomes free. A caller that disconnects does not report it. */
  readonly busyUntil: number[]
}

/** The schedule of each bundle, shared by all objects in an isolate. There is one per bundle so that PDFs do not wait for web pages. */
const pools = new Map<string, ReaderPool>()

function poolOf(kind: DocumentKind): ReaderPool {
  const bundle = kind === 'pdf' || kind === 'html' ? kind : 'documents'
  const schedule = pools.get(bundle) ?? {
    semaphore: new WeightedSemaphore(DOCUMENT_QUEUE, systemClock, pollEvery(SEMAPHORE_POLL_INTERVAL_MS)),
    busyUntil: Array.from({ length: DOCUMENT_QUEUE.capacity }, () => 0),
  }
  pools.set(bundle, schedule)
  return schedule
}

/**
 * Distributes reads over several readers. `readerAt` gets an index below DOCUMENT_QUEUE.capacity. Waiting does not use the call's time.
 */
export function inTurns(readerAt: (index: number) => DocumentReader): DocumentReader {
  return {
    async read(kind, bytes, call, hints) {
      const { semaphore, busyUntil } = poolOf(kind)
      const requester = { key: '', thread: '', ...call.queue, signal: call.signal }
      const read = await semaphore.run(requester, 1, async () => {
        const index = busyUntil.indexOf(Math.min(...busyUntil))
        const until = systemClock() + DOCUMENT_QUEUE.slotIdleMaxMs
        busyUntil[index] = until
        try {
          return await readerAt(index).read(kind, bytes, call, hints)
        } finally {
          if (busyUntil[index] === until) busyUntil[index] = 0
        }
      })
      return read.ok ? read.value : err(BUSY_READING)
    },
  }
}
