// Reads a DOCX or XLSX as a zip: its directory, and each part unpacked while it is read. Counts the bytes that are
// really unpacked and keeps none of them.

import { Inflate } from 'fflate'
import { DOCUMENT_UNPACKED_MAX_BYTES, DOCUMENT_ZIP_ENTRIES_MAX } from '../common/limits.ts'
import { Refused, type TimeBudget } from '../common/pace.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
/** The real number is in the ZIP64 extra field. */
const ELSEWHERE = 0xffffffff
/** Packed bytes unpacked at once. They grow at most a thousandfold. */
const PIECE_BYTES = 4_096
/** Unpacked bytes handed on at once. */
const OUT_BYTES = 65_536

const DAMAGED =
  'The file is damaged: its list of parts is missing or wrong, as after an incomplete upload. Ask for it once more.'
const TOO_MUCH = `The file unpacks to more than ${DOCUMENT_UNPACKED_MAX_BYTES} bytes, which is above the limit. Ask for a part of it, or for its text.`

interface Entry {
  readonly method: number
  readonly encrypted: boolean
  readonly packed: number
  readonly at: number
}

export class Zip {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #pace: TimeBudget
  readonly #entries = new Map<string, Entry>()
  #unpacked = 0

  /** Throws Refused when the directory is missing or declares too much. */
  constructor(bytes: Uint8Array, pace: TimeBudget) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#pace = pace
    try {
      this.#readDirectory()
    } catch (error) {
      if (error instanceof RangeError) throw new Refused(DAMAGED) // an offset beyond the end of the file
      throw error
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase())
  }

  /** The bytes of a part, piece by piece; none when the part does not exist. Throws Refused. */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(path.toLowerCase())
    if (!entry) return
    if (entry.encrypted) throw new Refused('The file is encrypted. Ask for one without a password.')
    const packed = this.#packedBytes(entry)
    if (entry.method === 0) {
      yield* this.#counted([packed])
      return
    }
    if (entry.method !== 8) throw new Refused('The file uses a compression method that cannot be read here.')
    let out: Uint8Array[] = []
    const inflate = new Inflate((piece) => out.push(piece))
    for (let at = 0; at < packed.length; at += PIECE_BYTES) {
      try {
        inflate.push(packed.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.length)
      } catch {
        throw new Refused(`The file is damaged in ${path}. Ask for it once more.`)
      }
      const pieces = out
      out = []
      yield* this.#counted(pieces)
    }
  }

  /** Counts the unpacked bytes, and passes them on in pieces that take a few milliseconds to read. */
  async *#counted(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      this.#unpacked += piece.length
      if (this.#unpacked > DOCUMENT_UNPACKED_MAX_BYTES) throw new Refused(TOO_MUCH)
      for (let at = 0; at < piece.length; at += OUT_BYTES) {
        const out = piece.subarray(at, at + OUT_BYTES)
        const turn = this.#pace.did(out.length)
        if (turn) await turn
        yield out
      }
    }
  }

  #packedBytes({ at, packed }: Entry): Uint8Array {
    const view = this.#view
    try {
      if (view.getUint32(at, true) !== LOCAL) throw new Refused(DAMAGED)
      const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
      if (from + packed > this.#bytes.length) throw new Refused(DAMAGED)
      return this.#bytes.subarray(from, from + packed)
    } catch (error) {
      if (error instanceof RangeError) throw new Refused(DAMAGED)
      throw error
    }
  }

  #readDirectory(): void {
    const view = this.#view
    const end = this.#findEnd()
    let at = view.getUint32(end + 16, true)
    if (at === ELSEWHERE) at = Number(view.getBigUint64(this.#zip64End(end) + 48, true))
    for (let count = 0; at < end && view.getUint32(at, true) === ENTRY; count++) {
      if (count >= DOCUMENT_ZIP_ENTRIES_MAX)
        throw new Refused(
          `The file has more than ${DOCUMENT_ZIP_ENTRIES_MAX} parts, as no real document does.`,
        )
      const lengths = [28, 30, 32].map((position) => view.getUint16(at + position, true))
      const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths
      const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength))
      const sizes = this.#sizes(at, at + 46 + nameLength, extraLength)
      // A part that declares too many bytes is refused at once. A declaration that is too low is found while reading.
      if (/\.(xml|rels)$/i.test(name) && sizes.open > DOCUMENT_UNPACKED_MAX_BYTES) throw new Refused(TOO_MUCH)
      this.#entries.set(name.replaceAll('\\', '/').toLowerCase(), {
        method: view.getUint16(at + 10, true),
        encrypted: (view.getUint16(at + 8, true) & 1) === 1,
        packed: sizes.packed,
        at: sizes.at,
      })
      at += 46 + nameLength + extraLength + commentLength
    }
    if (this.#entries.size === 0) throw new Refused(DAMAGED)
  }

  /** The offset of the end record. At most a comment follows it. */
  #findEnd(): number {
    const last = this.#bytes.length - END_BYTES
    for (let at = last; at >= Math.max(0, last - COMMENT_MAX_BYTES); at--)
      if (this.#view.getUint32(at, true) === END) return at
    throw new Refused(DAMAGED)
  }

  #zip64End(end: number): number {
    return Number(this.#view.getBigUint64(end - 20 + 8, true))
  }

  #sizes(at: number, extra: number, length: number): { open: number; packed: number; at: number } {
    const view = this.#view
    const numbers = [24, 20, 42].map((position) => view.getUint32(at + position, true))
    for (let field = extra; numbers.includes(ELSEWHERE) && field + 4 <= extra + length;) {
      const size = view.getUint16(field + 2, true)
      if (view.getUint16(field, true) === 1) {
        let position = field + 4
        for (const [index, number] of numbers.entries()) {
          if (number !== ELSEWHERE) continue
          numbers[index] = Number(view.getBigUint64(position, true))
          position += 8
        }
        break
      }
      field += 4 + size
    }
    const [open = 0, packed = 0, offset = 0] = numbers
    return { open, packed, at: offset }
  }
}
