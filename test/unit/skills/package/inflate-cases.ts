// What decompressing DEFLATE must report. Tests of both runtimes run it, because Node's zlib and workerd's report it
// differently.

import { expect } from 'vitest'
import { equalBytes, joinBytes } from '../../../../src/lib/bytes.ts'
import { inflate, inflateTo, type InflateFault } from '../../../../src/skills/package/inflate.ts'

/** `packed` is a DEFLATE stream of `content`, which is not empty. */
export function checkInflate(content: Uint8Array, packed: Uint8Array): void {
  const behind = new Uint8Array(packed.length + 9)
  behind.set(packed)
  for (const data of [packed, behind])
    for (const most of [content.length, content.length + 1, 10 * content.length]) {
      const opened = inflate(data, most)
      expect(opened).toMatchObject({ ok: true, value: { inputBytes: packed.length } })
      if (opened.ok) expect(equalBytes(opened.value.content, content)).toBe(true)
    }
  expect(inflate(packed, content.length - 1)).toEqual({ ok: false, error: 'longer' })
  expect(inflate(packed, 0)).toEqual({ ok: false, error: 'longer' })
  expect(inflate(packed.subarray(0, packed.length - 1), content.length)).toEqual({
    ok: false,
    error: 'truncated',
  })
  expect(inflate(new Uint8Array(), 10)).toEqual({ ok: false, error: 'truncated' })
  expect(inflate(Uint8Array.of(0b111, 1, 2, 3), 10)).toEqual({ ok: false, error: 'damaged' })
}

/** The same for a stream that is decompressed piece by piece, however it is split. */
export async function checkInflateTo(content: Uint8Array, packed: Uint8Array): Promise<void> {
  const behind = joinBytes([packed, new Uint8Array(9_000)])
  const most = content.length
  const opened = async (data: Uint8Array, limit: number, cut: number): Promise<number | InflateFault> => {
    const parts: Uint8Array[] = []
    const done = await inflateTo(cutInto(data, cut), limit, (part) => parts.push(part.slice()))
    const all = joinBytes(parts)
    // Output before an error is correct.
    expect(all.length).toBeLessThanOrEqual(limit)
    if (data !== DAMAGED) expect(equalBytes(all, content.subarray(0, all.length))).toBe(true)
    if (done.ok) expect(all.length).toBe(content.length)
    return done.ok ? done.value : done.error
  }
  for (const cut of [Math.ceil(packed.length / 3), packed.length, behind.length]) {
    expect(await opened(packed, most, cut)).toBe(packed.length)
    expect(await opened(behind, most + 1, cut)).toBe(packed.length)
    expect(await opened(packed, most - 1, cut)).toBe('longer')
    expect(await opened(packed.subarray(0, -1), most, cut)).toBe('truncated')
    expect(await opened(DAMAGED, most, cut)).toBe('damaged')
  }
  expect(await opened(new Uint8Array(), most, 1)).toBe('truncated')
}

const DAMAGED = Uint8Array.of(0b111, 1, 2, 3)

function* cutInto(data: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let at = 0; at < data.length; at += bytes) yield data.subarray(at, at + bytes)
}
