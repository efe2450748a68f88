// The words by which search finds a skill besides its name and description: taken from its body once, when it is made.

import { SEARCH_WORDS_MAX } from '../../limits.ts'

/** The most frequent words of a body, separated by blanks; '' for none. */
export function skillWords(body: string): string {
  const counts = new Map<string, number>()
  for (const [word] of body.toLowerCase().matchAll(/\p{L}[\p{L}\p{N}]{2,31}/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return Array.from(counts)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, SEARCH_WORDS_MAX)
    .map(([word]) => word)
    .join(' ')
}
