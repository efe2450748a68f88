// Lists for the model, limited in lines and text.

import { LISTING_MAX_CHARS } from './limits.ts'

/** The first lines of a list that fit the limits. */
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
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
