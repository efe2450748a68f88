// Guards the rows of a transcript: a long text is split into pieces that fit and join to the same text, and no
// character is split, because the database would damage its halves.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitIntoPieces } from '../../../src/thread/rows/message-row.ts'

it('pieces fit, join to the whole, and are well-formed if the whole is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 9 }), (text, size) => {
      const cut = splitIntoPieces(text, size)
      expect(cut.join('')).toBe(text)
      for (const piece of cut) {
        expect(piece.length).toBeLessThanOrEqual(size)
        if (text.isWellFormed()) expect(piece.isWellFormed()).toBe(true)
      }
      expect(cut.slice(0, -1).every((piece) => piece.length >= size - 1)).toBe(true)
    }),
  )
})

it('an empty text is one empty piece', () => {
  expect(splitIntoPieces('', 5)).toEqual([''])
})
