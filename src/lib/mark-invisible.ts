// Marks everything in a text that a person could not see or could mistake. Shown texts come from third parties, who may hide
// instructions in them.

import { BLANKS_SHOWN_MAX, EMPTY_LINES_SHOWN_MAX, INVISIBLE_CHARS_MARKED_MAX } from './limits.ts'
import { markCombining } from './look-alike-signs.ts'
import { codeOf, markLookAlikes } from './look-alikes.ts'
import { replaceInvisible } from './visible.ts'

const BLANKS = new RegExp(`[ \\t]{${BLANKS_SHOWN_MAX + 1},}`, 'g')
const EMPTY_LINES = new RegExp(`\\n(?:[ \\t]*\\n){${EMPTY_LINES_SHOWN_MAX + 1},}`, 'g')

/**
 * Replaces invisible characters with marks such as `⟨U+202E⟩`, appends such marks to letters that look like
 * others, and replaces long runs of invisible characters, blanks or empty lines with a count. Brackets in the
 * text are marked too, so that the text cannot forge a mark.
 */
export function markInvisible(text: string): string {
  const countedRuns = text
    .replace(/[⟨⟩]/g, codeOf)
    .replace(BLANKS, (run) => `⟨${run.length} blanks⟩`)
    .replace(EMPTY_LINES, (run) => `\n⟨${run.split('\n').length - 2} empty lines⟩\n`)
  const marked = markCombining(markLookAlikes(countedRuns), (mark) => mark + codeOf(mark))
  return replaceInvisible(marked, (run) => {
    const codes = Array.from(run, codeOf)
    const unmarkedCount = codes.length - INVISIBLE_CHARS_MARKED_MAX
    return (
      codes.slice(0, INVISIBLE_CHARS_MARKED_MAX).join('') +
      (unmarkedCount > 0 ? `⟨and ${unmarkedCount} more that cannot be seen⟩` : '')
    )
  })
}
