// Guards the memory of an export: after a small file the large ones are not read all at once, thousands of small files
// are not read one by one, and a client that leaves ends the reading.

import { expect, it } from 'vitest'
import { ok } from '../../../../src/lib/result.ts'
import { startPace } from '../../../../src/lib/steps.ts'
import { UNITS_BETWEEN_PAUSES } from '../../../../src/lib/limits.ts'
import { STORE_CONCURRENCY } from '../../../../src/limits/skills.ts'
import { PACK_BYTES_PER_UNIT, PACK_SMALL_FILE_MAX_BYTES } from '../../../../src/skills/package/limits.ts'
import { skillPacker } from '../../../../src/skills/package/archive-pack.ts'
import { streamArchive } from '../../../../src/skills/package/archive-stream.ts'

const LARGE = PACK_SMALL_FILE_MAX_BYTES + 1

/** Exports files of these sizes, and returns the maximum number that were read but not yet packed. */
async function exported(sizes: readonly number[], pace = startPace(async () => {})) {
  const paths = sizes.map((_, at) => `f${String(at).padStart(4, '0')}`)
  const packer = skillPacker('own')
  const seen = { read: 0, packed: 0, most: 0 }
  const stream = await streamArchive(
    {
      add(path, bytes) {
        seen.packed++
        return packer.add(path, bytes)
      },
      end: () => packer.end(),
    },
    paths,
    async (path) => {
      seen.read++
      seen.most = Math.max(seen.most, seen.read - seen.packed)
      return ok(new Uint8Array(sizes[paths.indexOf(path)] ?? 0))
    },
    () => {
      throw new Error('nothing breaks here')
    },
    pace,
  )
  if (!stream.ok) throw new Error(stream.error.detail)
  return { seen, stream: stream.value }
}

it('after one small file, only two large ones are read at a time', async () => {
  const { seen, stream } = await exported([1, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE])
  await new Response(stream).arrayBuffer()
  expect(seen).toEqual({ read: 7, packed: 7, most: 2 })
})

it('many small files are read a few at a time', async () => {
  const { seen, stream } = await exported(Array.from({ length: 40 }, () => 1))
  await new Response(stream).arrayBuffer()
  expect(seen).toEqual({ read: 40, packed: 40, most: STORE_CONCURRENCY })
})

it('nothing more is read for a client that disconnected', async () => {
  const { seen, stream } = await exported(Array.from({ length: 40 }, () => 1))
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  const { read } = seen
  expect(read).toBeLessThan(4)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(seen.read).toBe(read)
})

it('other requests are served while a large file is packed', async () => {
  let rests = 0
  const bytes = 8_388_608
  const { stream } = await exported(
    [bytes],
    startPace(async () => void rests++),
  )
  await new Response(stream).arrayBuffer()
  expect(rests).toBeGreaterThan(bytes / PACK_BYTES_PER_UNIT / (2 * UNITS_BETWEEN_PAUSES))
})
