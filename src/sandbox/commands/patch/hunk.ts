// A hunk of a patch: lines of the old file, and the lines that replace them.

export interface HunkLine {
  /** Context, removed, added; `!` means changed, in the context format. */
  readonly mark: ' ' | '-' | '+' | '!'
  /** The line with its line end, unless the file ends without one. */
  readonly text: string
}

export interface Hunk {
  /** The first line in the old file. */
  readonly first: number
  readonly newFirst: number
  readonly old: readonly HunkLine[]
  readonly new: readonly HunkLine[]
  /** Number of context lines before the first change and after the last one. */
  readonly prefix: number
  readonly suffix: number
  /** The text after the line numbers. */
  readonly title: string
}

/** The hunk that turns the new file into the old one. */
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

/** The context before the first change and after the last one: the minimum over all sides that have changes. */
export function contextOf(sides: readonly (readonly HunkLine[])[]): { prefix: number; suffix: number } {
  const changed = sides.filter((lines) => lines.some(({ mark }) => mark !== ' '))
  const least = (count: (lines: readonly HunkLine[]) => number): number =>
    changed.length === 0 ? 0 : Math.min(...changed.map(count))
  return {
    prefix: least((lines) => lines.findIndex(({ mark }) => mark !== ' ')),
    suffix: least((lines) => lines.length - 1 - lines.findLastIndex(({ mark }) => mark !== ' ')),
  }
}
