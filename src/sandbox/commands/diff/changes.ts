// Finds the changes between two files as GNU diff does: lines that would confuse the comparison are left out, and
// changes are moved to join others.

import { compareSequences } from './compare-sequences.ts'

/** Lines `left` and following (starting at 0) are replaced by lines `right` and following. */
export interface Change {
  readonly left: number
  readonly removed: number
  readonly right: number
  readonly added: number
}

interface Side {
  readonly classes: Int32Array
  /** A flag for each line, at its index plus 1, with one extra element at each end. */
  readonly changed: Uint8Array
}

/**
 * `raw` are the classes by which common prefixes and suffixes are found. `horizon` is the number of their lines to
 * include in the comparison.
 */
export async function changesBetween(
  classes: readonly [Int32Array, Int32Array],
  raw: readonly [Int32Array, Int32Array],
  horizon: number,
  minimal: boolean,
): Promise<readonly Change[]> {
  const [rawLeft, rawRight] = raw
  const shorter = Math.min(rawLeft.length, rawRight.length)
  let prefix = 0
  while (prefix < shorter && rawLeft[prefix] === rawRight[prefix]) prefix++
  if (prefix === rawLeft.length && prefix === rawRight.length) return []
  let suffix = 0
  while (
    suffix < shorter - prefix &&
    rawLeft[rawLeft.length - 1 - suffix] === rawRight[rawRight.length - 1 - suffix]
  )
    suffix++
  const skipped = Math.max(0, prefix - horizon)
  const left = Math.max(0, suffix - horizon)
  const sides = classes.map((all) => {
    const part = all.subarray(skipped, all.length - left)
    return { classes: part, changed: new Uint8Array(part.length + 2) }
  })
  const [one, other] = sides
  if (!one || !other) return []
  const kept = minimal ? [all(one), all(other)] : keptLines(one, other)
  const [keptLeft = [], keptRight = []] = kept
  await compareSequences(
    {
      left: Int32Array.from(keptLeft, (index) => one.classes[index] ?? 0),
      right: Int32Array.from(keptRight, (index) => other.classes[index] ?? 0),
      removed: (index) => void (one.changed[(keptLeft[index] ?? 0) + 1] = 1),
      added: (index) => void (other.changed[(keptRight[index] ?? 0) + 1] = 1),
    },
    minimal,
  )
  shiftChanges(one, other)
  shiftChanges(other, one)
  return changesOf(one, other, skipped)
}

function all({ classes }: Side): readonly number[] {
  return Array.from(classes, (_, index) => index)
}

/**
 * The lines to compare. Lines that the other file lacks, and some frequent lines among them, are marked as changed.
 */
function keptLines(one: Side, other: Side): readonly (readonly number[])[] {
  const counts = [one, other].map(({ classes }) => {
    const found = new Map<number, number>()
    for (const number of classes) found.set(number, (found.get(number) ?? 0) + 1)
    return found
  })
  return [one, other].map((side, at) => {
    const { classes } = side
    const there = counts[1 - at]
    let many = 5
    for (let rest = (classes.length >> 6) >> 2; rest > 0; rest >>= 2) many *= 2
    const dropped = Uint8Array.from(classes, (number) => {
      const matches = there?.get(number) ?? 0
      return matches === 0 ? 1 : matches > many ? 2 : 0
    })
    settle(dropped)
    const kept: number[] = []
    for (let index = 0; index < classes.length; index++)
      if (dropped[index] === 0) kept.push(index)
      else side.changed[index + 1] = 1
    return kept
  })
}

/** Keeps frequent lines (2), except within runs of lines that the other file lacks (1). */
function settle(dropped: Uint8Array): void {
  for (let index = 0; index < dropped.length; index++) {
    if (dropped[index] === 2) dropped[index] = 0
    else if (dropped[index] !== 0) index = settleRun(dropped, index)
  }
}

/** Processes the run that begins at `from`. Returns its last position. */
function settleRun(dropped: Uint8Array, from: number): number {
  let end = from
  let frequent = 0
  for (; end < dropped.length && dropped[end] !== 0; end++) if (dropped[end] === 2) frequent++
  while (end > from && dropped[end - 1] === 2) {
    dropped[--end] = 0
    frequent--
  }
  const length = end - from
  if (frequent * 4 > length) {
    while (end > from) if (dropped[--end] === 2) dropped[end] = 0
    return from
  }
  let minimum = 1
  for (let rest = length >> 4; rest > 0; rest >>= 2) minimum <<= 1
  minimum++
  for (let at = 0, row = 0; at < length; at++) {
    if (dropped[from + at] !== 2) row = 0
    else if (minimum === ++row) at -= row
    else if (minimum < row) dropped[from + at] = 0
  }
  const trim = (position: (at: number) => number): void => {
    for (let at = 0, row = 0; at < length; at++) {
      const index = position(at)
      if (at >= 8 && dropped[index] === 1) break
      if (dropped[index] === 2) {
        row = 0
        dropped[index] = 0
      } else if (dropped[index] === 0) row = 0
      else row++
      if (row === 3) break
    }
  }
  trim((at) => from + at)
  const last = from + length - 1
  trim((at) => last - at)
  return last
}

/**
 * Moves each run of changes: backward to join other runs, then forward as far as possible, then next to a change in
 * the other file.
 */
function shiftChanges({ classes, changed }: Side, { changed: others }: Side): void {
  const end = classes.length
  const is = (index: number): boolean => changed[index + 1] === 1
  const isOther = (index: number): boolean => others[index + 1] === 1
  const set = (index: number, value: 0 | 1): void => {
    changed[index + 1] = value
  }
  let index = 0
  let other = 0
  for (;;) {
    while (index < end && !is(index)) {
      while (isOther(other++));
      index++
    }
    if (index === end) return
    let start = index
    do index++
    while (is(index))
    while (isOther(other)) other++
    let length: number
    let corresponding: number
    do {
      length = index - start
      while (start > 0 && classes[start - 1] === classes[index - 1]) {
        set(--start, 1)
        set(--index, 0)
        while (is(start - 1)) start--
        do other--
        while (isOther(other))
      }
      corresponding = isOther(other - 1) ? index : end
      while (index !== end && classes[start] === classes[index]) {
        set(start++, 0)
        set(index++, 1)
        while (is(index)) index++
        for (other++; isOther(other); other++) corresponding = index
      }
    } while (length !== index - start)
    while (corresponding < index) {
      set(--start, 1)
      set(--index, 0)
      do other--
      while (isOther(other))
    }
  }
}

function changesOf(one: Side, other: Side, skipped: number): readonly Change[] {
  const changes: Change[] = []
  let left = 0
  let right = 0
  while (left < one.classes.length || right < other.classes.length) {
    const [fromLeft, fromRight] = [left, right]
    while (one.changed[left + 1] === 1) left++
    while (other.changed[right + 1] === 1) right++
    if (left > fromLeft || right > fromRight)
      changes.push({
        left: fromLeft + skipped,
        removed: left - fromLeft,
        right: fromRight + skipped,
        added: right - fromRight,
      })
    left++
    right++
  }
  return changes
}
