// The output formats with context: unified and context.

import type { Change } from './changes.ts'
import { lineText, rangeText, rows, type Sides } from './shown.ts'

/** Groups changes that are close enough to share their context. */
function hunksOf(changes: readonly Change[], context: number): readonly (readonly Change[])[] {
  const hunks: Change[][] = []
  let end = -Infinity
  for (const change of changes) {
    const last = hunks.at(-1)
    if (last && change.left < end + 2 * context + 1) last.push(change)
    else hunks.push([change])
    end = change.left + change.removed
  }
  return hunks
}

interface Bounds {
  readonly left: number
  readonly leftCount: number
  readonly right: number
  readonly rightCount: number
}

function boundsOf(hunk: readonly Change[], context: number, [one, other]: Sides): Bounds {
  const first = hunk[0] ?? { left: 0, right: 0 }
  const last = hunk.at(-1) ?? { left: 0, right: 0, removed: 0, added: 0 }
  const left = Math.max(0, first.left - context)
  const right = Math.max(0, first.right - context)
  const leftEnd = Math.min(one.lines.length, last.left + last.removed + context)
  const rightEnd = Math.min(other.lines.length, last.right + last.added + context)
  return { left, leftCount: leftEnd - left, right, rightCount: rightEnd - right }
}

export function unified(
  changes: readonly Change[],
  sides: Sides,
  context: number,
  names: readonly string[],
): string {
  const [one, other] = sides
  let text = `--- ${names[0] ?? ''}\n+++ ${names[1] ?? ''}\n`
  for (const hunk of hunksOf(changes, context)) {
    const { left, leftCount, right, rightCount } = boundsOf(hunk, context, sides)
    text += `@@ -${unifiedRange(left, leftCount)} +${unifiedRange(right, rightCount)} @@\n`
    let at = left
    for (const change of hunk) {
      text += rows(' ', one, at, change.left - at)
      text += rows('-', one, change.left, change.removed)
      text += rows('+', other, change.right, change.added)
      at = change.left + change.removed
    }
    text += rows(' ', one, at, left + leftCount - at)
  }
  return text
}

function unifiedRange(from: number, count: number): string {
  const first = count === 0 ? from : from + 1
  return count === 1 ? `${first}` : `${first},${count}`
}

export function contextual(
  changes: readonly Change[],
  sides: Sides,
  context: number,
  names: readonly string[],
): string {
  const [one, other] = sides
  let text = `*** ${names[0] ?? ''}\n--- ${names[1] ?? ''}\n`
  for (const hunk of hunksOf(changes, context)) {
    const { left, leftCount, right, rightCount } = boundsOf(hunk, context, sides)
    text += `***************\n*** ${rangeText(left, leftCount)} ****\n`
    if (hunk.some(({ removed }) => removed > 0)) {
      let at = left
      for (const change of hunk) {
        text += rows('  ', one, at, change.left - at)
        at = change.left
        const mark = change.added > 0 ? '! ' : '- '
        for (; at < change.left + change.removed; at++) text += lineText(mark, one, at)
      }
      text += rows('  ', one, at, left + leftCount - at)
    }
    text += `--- ${rangeText(right, rightCount)} ----\n`
    if (!hunk.some(({ added }) => added > 0)) continue
    let at = right
    for (const change of hunk) {
      text += rows('  ', other, at, change.right - at)
      at = change.right
      const mark = change.removed > 0 ? '! ' : '+ '
      for (; at < change.right + change.added; at++) text += lineText(mark, other, at)
    }
    text += rows('  ', other, at, right + rightCount - at)
  }
  return text
}
