// Judges whether a text contains one of Satchel's tags, using Unicode's whole table of confusables. Apart from the list
// of tags it shares no code with the function that removes them.

import { FRAMEWORK_TAGS } from '../src/lib/framework-tags.ts'
import data from 'unhomoglyph/data.json' with { type: 'json' }

/** A character and what it looks like, from Unicode's confusables.txt as packaged. */
export const TABLE: Readonly<Record<string, string>> = data

const UNSEEN = '\u2060'
const OF_TAGS = /[a-z</\\]/i

/**
 * UTS #39's skeleton, which is also blind to compatibility forms, case and separators; marks and invisible characters
 * count as one separator.
 */
function skeleton(text: string): string {
  const mapped = (from: string): string => Array.from(from, (char) => TABLE[char] ?? char).join('')
  return (
    mapped(mapped(parted(text).normalize('NFD')).normalize('NFKD'))
      .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, UNSEEN)
      .toLowerCase()
      // The table maps only the small letter, before upper-case ones become small.
      .replace(/m/g, 'rn')
      .replace(/[i1|]/g, 'l')
      .replace(/0/g, 'o')
  )
}

function parted(text: string): string {
  const separator = /[\s\p{Z}\p{Pd}\p{Pc}\p{Po}\u2800]/gu
  return text.replace(separator, (char) => (OF_TAGS.test(TABLE[char] ?? char.normalize('NFKD')) ? char : '_'))
}

/** A bracket, slashes and the name are enough to count as a tag. */
export function arrivesAsTag(text: string): boolean {
  const seen = skeleton(text)
  return FRAMEWORK_TAGS.some((tag) => {
    const words = tag.split('_').map((word) => Array.from(skeleton(word)).join(`${UNSEEN}*`))
    const blank = `[_${UNSEEN}]*`
    const name = words.join(`[_${UNSEEN}]+`)
    return new RegExp(String.raw`<${blank}(?:[/\\]${blank})*${name}(?![a-z0-9])`, 'u').test(seen)
  })
}
