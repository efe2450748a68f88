// Guards signed IDs: a guessed ID is recognized without a call to any object, and rotating the secret locks nobody
// out.

import { describe, expect, it } from 'vitest'
import { isSignedPart, newSignedPart } from '../../../src/lib/signed-id.ts'

const SECRET = 'a-secret-of-at-least-32-characters'
const OTHER = 'another-secret-of-32-characters-or-so'

describe('a signed ID', () => {
  it('has 60 bits of MAC after its random part, all in lower-case base32', async () => {
    const parts = await Promise.all([12, 24].map((length) => newSignedPart(SECRET, 'key', 'default', length)))
    expect(parts.map((part) => part.length)).toEqual([24, 36])
    for (const part of parts) expect(part).toMatch(/^[0-9a-hjkmnp-tv-z]+$/)
  })

  it('is valid for its own kind, workspace and secret, and no other', async () => {
    const part = await newSignedPart(SECRET, 'key', 'default', 12)
    expect(await isSignedPart([SECRET], 'key', 'default', part)).toBe(true)
    expect(await isSignedPart([SECRET], 'hook', 'default', part)).toBe(false)
    expect(await isSignedPart([SECRET], 'key', 'other', part)).toBe(false)
    expect(await isSignedPart([OTHER], 'key', 'default', part)).toBe(false)
    expect(await isSignedPart([], 'key', 'default', part)).toBe(false)
  })

  it('is valid under the new and the previous secret during a rotation, and not afterwards', async () => {
    const before = await newSignedPart(OTHER, 'hook', 'default', 24)
    const after = await newSignedPart(SECRET, 'hook', 'default', 24)
    for (const part of [before, after])
      expect(await isSignedPart([SECRET, OTHER], 'hook', 'default', part)).toBe(true)
    expect(await isSignedPart([SECRET], 'hook', 'default', before)).toBe(false)
  })

  it('is invalid with any one character changed, removed or added', async () => {
    const part = await newSignedPart(SECRET, 'key', 'default', 12)
    const changed = Array.from(
      part,
      (char, at) => part.slice(0, at) + (char === '0' ? '1' : '0') + part.slice(at + 1),
    )
    for (const wrong of [...changed, part.slice(1), part.slice(0, -1), `${part}0`, part.toUpperCase(), ''])
      expect(await isSignedPart([SECRET], 'key', 'default', wrong)).toBe(false)
  })
})
