// Formats rejected hunks in the format of the patch.

import type { FileHeader } from './headers.ts'
import type { Hunk, HunkLine } from './hunk.ts'

/** The header with the names of both files. */
export function rejectHeader({ old, new: fresh }: FileHeader, marks: readonly [string, string]): string {
  const row = (mark: string, { name, stamp }: FileHeader['old']): string =>
    `${mark} ${name ?? '/dev/null'}${name !== null && stamp !== '' ? `\t${stamp}` : ''}\n`
  return row(marks[0], old) + row(marks[1], fresh)
}

/** `growth` is the number of lines by which earlier hunks moved this one. */
export function unifiedReject(hunk: Hunk, growth: number): string {
  const range = (first: number, count: number): string =>
    count === 0 ? `${first - 1},0` : count === 1 ? `${first}` : `${first},${count}`
  const { first, newFirst, old, new: fresh, title } = hunk
  let text = `@@ -${range(first + growth, old.length)} +${range(newFirst + growth, fresh.length)} @@${title === '' ? '' : ` ${title}`}\n`
  let [left, right] = [0, 0]
  while (left < old.length || right < fresh.length) {
    for (let line = old[left]; line && line.mark !== ' '; line = old[++left]) text += `-${line.text}`
    for (let line = fresh[right]; line && line.mark !== ' '; line = fresh[++right]) text += `+${line.text}`
    const line = old[left]
    if (line) text += ` ${line.text}`
    left++
    right++
  }
  return text
}

/** In the context format, lines that are removed and added at the same position are marked as changed. */
function withChanges({ old, new: fresh }: Hunk): readonly [readonly HunkLine[], readonly HunkLine[]] {
  const sides = [old, fresh].map((lines) => [...lines])
  const [left = [], right = []] = sides
  let [at, other] = [0, 0]
  while (at < left.length || other < right.length) {
    const [from, otherFrom] = [at, other]
    while (at < left.length && left[at]?.mark !== ' ') at++
    while (other < right.length && right[other]?.mark !== ' ') other++
    if (at > from && other > otherFrom)
      for (const [lines, start, end] of [
        [left, from, at],
        [right, otherFrom, other],
      ] as const)
        for (let index = start; index < end; index++)
          lines[index] = { mark: '!', text: lines[index]?.text ?? '' }
    at++
    other++
  }
  return [left, right]
}

/** Formats a hunk in the context format. `isContext` says whether the patch itself has that format. */
export function contextReject(hunk: Hunk, growth: number, isContext: boolean): string {
  const range = (first: number, count: number): string =>
    count === 0 ? '0' : count === 1 ? `${first}` : `${first},${first + count - 1}`
  const { first, newFirst, title } = hunk
  const [old, fresh] = isContext ? withChanges(hunk) : [hunk.old, hunk.new]
  const rows = (lines: readonly HunkLine[]): string =>
    lines.map(({ mark, text }) => `${mark} ${text}`).join('')
  return [
    `***************${title === '' ? '' : ` ${title}`}\n`,
    `*** ${range(first + growth, old.length)}${isContext ? ' ****' : ''}\n`,
    rows(old),
    `--- ${range(newFirst + growth, fresh.length)}${isContext ? ' ----' : ' -----'}\n`,
    rows(fresh),
  ].join('')
}
