// Reads a DOCX or XLSX as a zip archive. Parts are unpacked while they are read. Counts the bytes that are actually unpacked and keeps
// none of them.

import { Inflate } from 'fflate'
import { DOCUMENT_UNPACKED_MAX_BYTES, DOCUMENT_ZIP_ENTRIES_MAX } from '../common/limits.ts'
import { DocumentRefused, type TimeBudget } from '../common/pace.ts'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
/** Marks a number that is stored in the ZIP64 extra field instead. */
const IN_ZIP64_FIELD = 0xffffffff
/** Number of packed bytes unpacked at a time. They grow at most by a factor of a thousand. */
const INPUT_PIECE_BYTES = 4_096
/** Number of unpacked bytes passed on at a time. */
const OUTPUT_PIECE_BYTES = 65_536

const DAMAGED =
  'The file is damaged: its list of parts is missing or invalid, as happens after an incomplete upload. Ask the user to send it again.'
const TOO_MUCH = `The file unpacks to more than ${DOCUMENT_UNPACKED_MAX_BYTES} bytes, which is the limit. Ask the user for a part of it, or for its text.`

interface Entry {
  readonly method: number
  readonly encrypted: boolean
  readonly packedBytes: number
  readonly offset: number
}

export class Zip {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #pace: TimeBudget
  readonly #entries = new Map<string, Entry>()
  #unpacked = 0

  /** Throws DocumentRefused if the directory is missing or invalid, or declares too many parts or bytes. */
  constructor(bytes: Uint8Array, pace: TimeBudget) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#pace = pace
    try {
      this.#readDirectory()
    } catch (error) {
      if (error instanceof RangeError) throw new DocumentRefused(DAMAGED) // an offset beyond the end of the file
      throw error
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase())
  }

  /** Yields the bytes of a part in pieces, or nothing if there is no such part. Throws DocumentRefused if the part cannot be read. */
  async *read(path: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(path.toLowerCase())
    if (!entry) return
    if (entry.encrypted)
      throw new DocumentRefused('The file is encrypted. Ask the user for one without a password.')
    const packed = this.#packedBytes(entry)
    if (entry.method === 0) {
      yield* this.#counted([packed])
      return
    }
    if (entry.method !== 8)
      throw new DocumentRefused(
        'The file uses a compression method that cannot be read here. Ask the user for its text.',
      )
    let out: Uint8Array[] = []
    const inflate = new Inflate((piece) => out.push(piece))
    for (let start = 0; start < packed.length; start += INPUT_PIECE_BYTES) {
      try {
        inflate.push(
          packed.subarray(start, start + INPUT_PIECE_BYTES),
          start + INPUT_PIECE_BYTES >= packed.length,
        )
      } catch {
        throw new DocumentRefused(`The file is damaged in ${path}. Ask the user to send it again.`)
      }
      const pieces = out
      out = []
      yield* this.#counted(pieces)
    }
  }

  /** Counts unpacked bytes, and yields them in pieces that take a few milliseconds to read. */
  async *#counted(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      this.#unpacked += piece.length
      if (this.#unpacked > DOCUMENT_UNPACKED_MAX_BYTES) throw new DocumentRefused(TOO_MUCH)
      for (let start = 0; start < piece.length; start += OUTPUT_PIECE_BYTES) {
        const out = piece.subarray(start, start + OUTPUT_PIECE_BYTES)
        const yieldNow = this.#pace.countWork(out.length)
        if (yieldNow) await yieldNow
        yield out
      }
    }
  }

  #packedBytes({ offset, packedBytes }: Entry): Uint8Array {
    const view = this.#view
    try {
      if (view.getUint32(offset, true) !== LOCAL_HEADER_SIGNATURE) throw new DocumentRefused(DAMAGED)
      const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
      if (start + packedBytes > this.#bytes.length) throw new DocumentRefused(DAMAGED)
      return this.#bytes.subarray(start, start + packedBytes)
    } catch (error) {
      if (error instanceof RangeError) throw new DocumentRefused(DAMAGED)
      throw error
    }
  }

  #readDirectory(): void {
    const view = this.#view
    const end = this.#findEnd()
    let headerOffset = view.getUint32(end + 16, true)
    if (headerOffset === IN_ZIP64_FIELD)
      headerOffset = Number(view.getBigUint64(this.#zip64End(end) + 48, true))
    for (
      let count = 0;
      headerOffset < end && view.getUint32(headerOffset, true) === ENTRY_SIGNATURE;
      count++
    ) {
      if (count >= DOCUMENT_ZIP_ENTRIES_MAX)
        throw new DocumentRefused(
          `The file has more than ${DOCUMENT_ZIP_ENTRIES_MAX} parts, which no real document has.`,
        )
      const lengths = [28, 30, 32].map((position) => view.getUint16(headerOffset + position, true))
      const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths
      const name = new TextDecoder().decode(
        this.#bytes.subarray(headerOffset + 46, headerOffset + 46 + nameLength),
      )
      const sizes = this.#sizes(headerOffset, headerOffset + 46 + nameLength, extraLength)
      // A part that declares too many bytes is refused here. A part with more bytes than it declares is detected while reading.
      if (/\.(xml|rels)$/i.test(name) && sizes.unpacked > DOCUMENT_UNPACKED_MAX_BYTES)
        throw new DocumentRefused(TOO_MUCH)
      this.#entries.set(name.replaceAll('\\', '/').toLowerCase(), {
        method: view.getUint16(headerOffset + 10, true),
        encrypted: (view.getUint16(headerOffset + 8, true) & 1) === 1,
        packedBytes: sizes.packed,
        offset: sizes.offset,
      })
      headerOffset += 46 + nameLength + extraLength + commentLength
    }
    if (this.#entries.size === 0) throw new DocumentRefused(DAMAGED)
  }

  /** The offset of the end record, which only a comment may follow. */
  #findEnd(): number {
    const last = this.#bytes.length - END_BYTES
    for (let headerOffset = last; headerOffset >= Math.max(0, last - COMMENT_MAX_BYTES); headerOffset--)
      if (this.#view.getUint32(headerOffset, true) === END_SIGNATURE) return headerOffset
    throw new DocumentRefused(DAMAGED)
  }

  #zip64End(end: number): number {
    return Number(this.#view.getBigUint64(end - 20 + 8, true))
  }

  #sizes(
    headerOffset: number,
    extra: number,
    length: number,
  ): { unpacked: number; packed: number; offset: number } {
    const view = this.#view
    const numbers = [24, 20, 42].map((position) => view.getUint32(headerOffset + position, true))
    for (let field = extra; numbers.includes(IN_ZIP64_FIELD) && field + 4 <= extra + length;) {
      const size = view.getUint16(field + 2, true)
      if (view.getUint16(field, true) === 1) {
        let position = field + 4
        for (const [index, number] of numbers.entries()) {
          if (number !== IN_ZIP64_FIELD) continue
          numbers[index] = Number(view.getBigUint64(position, true))
          position += 8
        }
        break
      }
      field += 4 + size
    }
    const [unpacked = 0, packed = 0, offset = 0] = numbers
    return { unpacked, packed, offset }
  }
}
