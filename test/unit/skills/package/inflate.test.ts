// Guards decompressing DEFLATE: exact limits, the true end of the stream, and an explanation of each error.

import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflate } from '../../../../src/skills/package/inflate.ts'
import { bitWriter, emptyDynamicBlock } from './deflate-bits.ts'
import { checkInflate, checkInflateTo } from './inflate-cases.ts'

describe('inflate', () => {
  it.each([0, 1, 9])('stops at the limit and returns where a stream of level %i ended', (level) => {
    for (const size of [1, 300, 70_000]) {
      const content = Uint8Array.from({ length: size }, (_, at) => (at * at) % 251)
      checkInflate(content, deflateRawSync(content, { level }))
    }
  })

  it.each([0, 1, 9])('decompresses correctly in pieces, level %i', async (level) => {
    for (const size of [1, 300, 700_000]) {
      const content = Uint8Array.from({ length: size }, (_, at) => (at * at) % 251)
      await checkInflateTo(content, deflateRawSync(content, { level }))
    }
  })

  it('returns nothing for an empty stream', () => {
    const packed = deflateRawSync(new Uint8Array())
    expect(inflate(packed, 0)).toMatchObject({ ok: true, value: { inputBytes: packed.length } })
  })

  it('opens a stream of blocks that cost tables and contain nothing', () => {
    const bits = bitWriter()
    for (let block = 0; block < 1_000; block++) emptyDynamicBlock(bits)
    emptyDynamicBlock(bits, true)
    const opened = inflate(bits.bytes(), 0)
    expect(opened.ok && opened.value.content.length).toBe(0)
  })
})
