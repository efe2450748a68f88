// Reads the central directory of a zip and compares it with the local headers. Reads no content.

import { equalBytes } from '../../lib/bytes.ts'
import { err, ok } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { ARCHIVE_ENTRIES_MAX } from './limits.ts'
import { damaged, archiveTooLarge } from './archive-intake.ts'
import type { Blocks } from './blocks.ts'
import { extraRefusal } from './zip-extra.ts'

export interface ZipEntry {
  readonly name: Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  /** Compressed and decompressed bytes, as declared by the directory. */
  readonly compressedBytes: number
  readonly size: number
  /** Unix mode with the type of file, or 0 if the archive has none. */
  readonly mode: number
  readonly dosFolder: boolean
  /** Why its extra fields are refused, as a sentence; null if they are harmless. */
  readonly extra: string | null
  /** The offset of its local header. */
  readonly offset: number
}

export interface PlacedEntry extends ZipEntry {
  /** The offsets where its compressed bytes begin and where the member ends. */
  readonly start: number
  readonly end: number
}

const LOCAL_SIGNATURE = 0x04034b50
const CENTRAL_SIGNATURE = 0x02014b50
const END_SIGNATURE = 0x06054b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
const COMMENT_MAX_BYTES = 65_535
const ZIP64 = 'uses ZIP64, which only archives of gigabytes need. Pack it again without ZIP64'

/** Local flags that must match the directory: encrypted, data descriptor, patched, strong encryption, UTF-8, masked. */
const COMPARED_FLAGS = 0x2869
const HAS_DESCRIPTOR = 8

/**
 * All members, ordered by offset. So that nothing can overlap or be hidden, each member must begin where the previous
 * one ends, and the directory and its end record must follow without gaps. Failures: `invalid_archive`, and `too_large`
 * for too many members.
 */
export function zipMembers(bytes: Blocks): Result<readonly PlacedEntry[]> {
  const end = endRecord(bytes)
  if (!end.ok) return end
  if (end.value.entries > ARCHIVE_ENTRIES_MAX)
    return err(archiveTooLarge(`more than ${ARCHIVE_ENTRIES_MAX} members`))
  const entries: ZipEntry[] = []
  const directory = bytes.slice(end.value.directory, end.value.at)
  let position = 0
  for (let remaining = end.value.entries; remaining > 0; remaining--) {
    const entry = centralEntry(directory, viewOf(directory), position, directory.length)
    if (!entry.ok) return entry
    entries.push(entry.value.entry)
    position = entry.value.next
  }
  if (position !== directory.length) return invalidZip('has data between its directory and its end record')
  return locateEntries(bytes, entries, end.value.directory)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function invalidZip(problem: string): { readonly ok: false; readonly error: Failure } {
  return err(damaged(`The zip ${problem}.`))
}

interface EndRecord {
  readonly at: number
  readonly directory: number
  readonly entries: number
}

function endRecord(bytes: Blocks): Result<EndRecord> {
  const from = Math.max(0, bytes.length - END_BYTES - COMMENT_MAX_BYTES)
  const view = viewOf(bytes.slice(from, bytes.length))
  let position = view.byteLength - END_BYTES
  while (position >= 0 && view.getUint32(position, true) !== END_SIGNATURE) position--
  if (position < 0) return invalidZip('is truncated: it has no end record. Send the complete file')
  if (position + END_BYTES + view.getUint16(position + 20, true) !== view.byteLength)
    return invalidZip('has data after its end. Send only the archive')
  const entriesOnDisk = view.getUint16(position + 8, true)
  const entries = view.getUint16(position + 10, true)
  const size = view.getUint32(position + 12, true)
  const directory = view.getUint32(position + 16, true)
  if (entries === 0xffff || size === 0xffffffff || directory === 0xffffffff) return invalidZip(ZIP64)
  if (view.getUint32(position + 4, true) !== 0 || entriesOnDisk !== entries)
    return invalidZip('is one part of several. Pack it as one file')
  if (directory + size !== from + position)
    return invalidZip('has its directory at another position than its end record says')
  return ok({ at: from + position, directory, entries })
}

function centralEntry(
  bytes: Uint8Array,
  view: DataView,
  position: number,
  end: number,
): Result<{ readonly entry: ZipEntry; readonly next: number }> {
  if (position + CENTRAL_BYTES > end || view.getUint32(position, true) !== CENTRAL_SIGNATURE)
    return invalidZip('has a damaged directory')
  const nameEnd = position + CENTRAL_BYTES + view.getUint16(position + 28, true)
  const extraEnd = nameEnd + view.getUint16(position + 30, true)
  const next = extraEnd + view.getUint16(position + 32, true)
  if (next > end) return invalidZip('has a damaged directory')
  const name = bytes.subarray(position + CENTRAL_BYTES, nameEnd)
  const attributes = view.getUint32(position + 38, true)
  const entry = {
    name,
    flags: view.getUint16(position + 8, true),
    method: view.getUint16(position + 10, true),
    crc: view.getUint32(position + 16, true),
    compressedBytes: view.getUint32(position + 20, true),
    size: view.getUint32(position + 24, true),
    mode: attributes >>> 16,
    dosFolder: (attributes & 16) !== 0,
    extra: extraRefusal(bytes.subarray(nameEnd, extraEnd), name),
    offset: view.getUint32(position + 42, true),
  }
  if ([entry.compressedBytes, entry.size, entry.offset].includes(0xffffffff)) return invalidZip(ZIP64)
  if (view.getUint16(position + 34, true) !== 0)
    return invalidZip('is one part of several. Pack it as one file')
  return ok({ entry, next })
}

function locateEntries(
  bytes: Blocks,
  entries: readonly ZipEntry[],
  directory: number,
): Result<readonly PlacedEntry[]> {
  const members: PlacedEntry[] = []
  let position = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset !== position)
      return invalidZip(
        entry.offset < position
          ? 'has members that overlap'
          : `has ${entry.offset - position} bytes that belong to no member. Pack it again`,
      )
    const start = localStart(bytes, entry, directory)
    if (!start.ok) return start
    const next = entryEnd(bytes, entry, start.value + entry.compressedBytes, directory)
    if (next === null) return invalidZip('has a member whose data descriptor differs from the directory')
    members.push({ ...entry, extra: start.extra ?? entry.extra, start: start.value, end: next })
    position = next
  }
  if (position === directory) return ok(members)
  return invalidZip(`has ${directory - position} bytes that belong to no member. Pack it again`)
}

type LocalStart =
  | { readonly ok: true; readonly value: number; readonly extra: string | null }
  | { readonly ok: false; readonly error: Failure }

function localStart(bytes: Blocks, entry: ZipEntry, directory: number): LocalStart {
  const position = entry.offset
  const view = viewOf(bytes.slice(position, position + LOCAL_BYTES))
  if (position + LOCAL_BYTES > directory || view.getUint32(0, true) !== LOCAL_SIGNATURE)
    return invalidZip('has a damaged member: its header is not where the directory says')
  const nameEnd = position + LOCAL_BYTES + view.getUint16(26, true)
  const start = nameEnd + view.getUint16(28, true)
  if (start + entry.compressedBytes > directory) return invalidZip('has a member that overlaps the next')
  const name = bytes.slice(position + LOCAL_BYTES, nameEnd)
  const flags = view.getUint16(6, true)
  const hasDescriptor = (flags & HAS_DESCRIPTOR) !== 0
  const matches = (offset: number, value: number): boolean => {
    const localValue = view.getUint32(offset, true)
    return localValue === value || (hasDescriptor && localValue === 0)
  }
  const matchesDirectory =
    equalBytes(name, entry.name) &&
    (flags & COMPARED_FLAGS) === (entry.flags & COMPARED_FLAGS) &&
    view.getUint16(8, true) === entry.method &&
    matches(14, entry.crc) &&
    matches(18, entry.compressedBytes) &&
    matches(22, entry.size)
  if (!matchesDirectory)
    return invalidZip('has a member whose local header differs from the directory. Pack it again')
  return { ok: true, value: start, extra: extraRefusal(bytes.slice(nameEnd, start), name) }
}

/** Where the member ends, including a data descriptor if it has one; null if that contradicts the directory. */
function entryEnd(bytes: Blocks, entry: ZipEntry, position: number, directory: number): number | null {
  if ((entry.flags & HAS_DESCRIPTOR) === 0) return position
  const view = viewOf(bytes.slice(position, Math.min(position + 16, directory)))
  const agrees = (from: number): boolean =>
    from + 12 <= view.byteLength &&
    view.getUint32(from, true) === entry.crc &&
    view.getUint32(from + 4, true) === entry.compressedBytes &&
    view.getUint32(from + 8, true) === entry.size
  if (view.byteLength >= 4 && view.getUint32(0, true) === DESCRIPTOR_SIGNATURE && agrees(4))
    return position + 16
  return agrees(0) ? position + 12 : null
}
