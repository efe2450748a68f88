// One hunk of a patch: lines of the old file and those that replace them.

export interface HunkLine {
  /** Context, removed, added; `!` in the context format: changed. */
  readonly mark: ' ' | '-' | '+' | '!'
  /** With its end, unless the file ends without one. */
  readonly text: string
}

export interface Hunk {
  /** The first line of the old file, and of the new one. */
  readonly first: number
  readonly newFirst: number
  readonly old: readonly HunkLine[]
  readonly new: readonly HunkLine[]
  /** Lines of context before the first change, and after the last one. */
  readonly prefix: number
  readonly suffix: number
  /** What follows the line numbers. */
  readonly title: string
}

/** From the new file to the old one. */
export function reversed({ first, newFirst, old, new: added, prefix, suffix, title }: Hunk): Hunk {
  const swapped = ({ mark, text }: HunkLine): HunkLine => ({
    mark: mark === '-' ? '+' : mark === '+' ? '-' : mark,
    text,
  })
  return {
    first: newFirst,
    newFirst: first,
    old: added.map(swapped),
    new: old.map(swapped),
    prefix,
    suffix,
    title,
  }
}

/** Context before the first change and after the last one: the least of all sides that have a change. */
export function contextOf(sides: readonly (readonly HunkLine[])[]): { prefix: number; suffix: number } {
  const changed = sides.filter((lines) => lines.some(({ mark }) => mark !== ' '))
  const least = (count: (lines: readonly HunkLine[]) => number): number =>
    changed.length === 0 ? 0 : Math.min(...changed.map(count))
  return {
    prefix: least((lines) => lines.findIndex(({ mark }) => mark !== ' ')),
    suffix: least((lines) => lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== ' ')),
  }
}
