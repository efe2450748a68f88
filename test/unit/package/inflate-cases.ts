// What opening DEFLATE must tell, as tests of both runtimes check it: Node's zlib and workerd's say it differently.

import { expect } from 'vitest'
import { inflate } from '../../../src/skills/package/inflate.ts'

/** `packed` is a DEFLATE stream of `content`, which is not empty. */
export function checkInflate(content: Uint8Array, packed: Uint8Array): void {
  const behind = new Uint8Array(packed.length + 9)
  behind.set(packed)
  for (const data of [packed, behind])
    for (const most of [content.length, content.length + 1, 10 * content.length]) {
      const opened = inflate(data, most)
      expect(opened).toMatchObject({ ok: true, value: { taken: packed.length } })
      if (opened.ok) expect(opened.value.content).toEqual(content)
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
