// Formats lists and counts for the model.

import { LISTING_MAX_CHARS } from './limits.ts'

/** Returns the first lines, up to `max` lines and LISTING_MAX_CHARS characters. */
export function firstLines(lines: readonly string[], max: number): readonly string[] {
  const shown: string[] = []
  let chars = 0
  for (const line of lines) {
    chars += line.length + 1
    if (shown.length >= max || chars > LISTING_MAX_CHARS) break
    shown.push(line)
  }
  return shown
}

/** `1 file`, `2 files` */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
