// Measures the memory of a Worker's isolate with the inspector: the heap and its buffers. Other isolates of the
// process, such as the local stores, do not count.

import { meanwhile } from '../rig/meanwhile.ts'

const SAMPLE_INTERVAL_MS = 5

export interface WorkerMemory {
  /** The peak during `work` in bytes, relative to the memory before. Use a fresh isolate. */
  peakOf(work: () => Promise<unknown>): Promise<number>
  /** Bytes in use after a garbage collection. */
  heldBytes(): Promise<number>
  close(): void
}

interface Usage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize: number
}

/** `worker` is the Worker's name. Rejects if the inspector does not know it. */
export async function inspect(port: number, worker: string): Promise<WorkerMemory> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/core:user:${worker}`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`No inspector of ${worker} at port ${port}.`)))
  })
  let requests = 0
  const pending = new Map<number, (result: Usage) => void>()
  socket.addEventListener('message', ({ data }) => {
    // The cast is safe: the protocol defines this shape.
    const { id, result } = JSON.parse(String(data)) as { readonly id: number; readonly result: Usage }
    pending.get(id)?.(result)
    pending.delete(id)
  })
  const call = async (method: string): Promise<Usage> =>
    new Promise((resolve) => {
      const id = ++requests
      pending.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params: {} }))
    })
  const usedBytes = async (): Promise<number> => {
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize } = await call('Runtime.getHeapUsage')
    return usedSize + embedderHeapUsedSize + backingStorageSize
  }
  return {
    async peakOf(work) {
      const before = await usedBytes()
      const { seen } = await meanwhile(work(), usedBytes, SAMPLE_INTERVAL_MS)
      return Math.max(before, ...seen) - before
    },
    async heldBytes() {
      await call('HeapProfiler.collectGarbage')
      return usedBytes()
    },
    close: () => socket.close(),
  }
}
