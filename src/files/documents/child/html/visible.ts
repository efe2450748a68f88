// Decides from an element's attributes whether it is visible. Ignores style sheets and ancestors.

import { HTML_ATTRIBUTE_MAX_CHARS } from './limits.ts'

export type Attributes = ReadonlyMap<string, string>

/** Inline styles that hide text. */
const HIDING_STYLES: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)font-size:0*\.?0+(?:px|pt|em|rem|%|vw|vh)?(?:;|!|$)/,
  /(?:^|;)font:0(?:px)?[/a-z]/,
  /(?:^|;)(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}/,
  /(?:^|;)clip:rect\((?:0|1px)/,
  /(?:^|;)clip-path:inset\((?:50|100)%/,
  /(?:^|;)transform:(?:scale\(0+\)|translate\w?\(-\d{4,})/,
]
/** Styles that pages also use for text that fades in later. The text is kept, but its links do not count as visible. */
const FADING_STYLES: readonly RegExp[] = [
  /(?:^|;)opacity:0*\.?0+%?(?:;|!|$)/,
  /(?:^|;)(?:width|height|max-height|max-width):0(?:px)?(?:;|!|$)/,
  /(?:^|;)color:transparent/,
]

/** Whether an element is visible. `hidden` elements are left out; `faint` ones are kept, but their links do not count as visible. */
export function visibilityOf(name: string, attributes: Attributes): 'shown' | 'faint' | 'hidden' {
  if (attributes.has('hidden')) return 'hidden'
  // Fallback images of formulas duplicate the text for screen readers.
  const fallback = attributes.get('class')?.includes('fallback-image') ?? false
  if (attributes.get('aria-hidden')?.toLowerCase() === 'true' && !fallback) return 'hidden'
  if (name === 'dialog' && !attributes.has('open')) return 'hidden'
  const style = attributes.get('style')
  if (style === undefined) return name === 'noscript' ? 'faint' : 'shown'
  // The value was truncated, so its end is unknown. Authors do not write styles of this length.
  if (style.length >= HTML_ATTRIBUTE_MAX_CHARS) return 'faint'
  const normalized = style
    .toLowerCase()
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, '')
  if (HIDING_STYLES.some((pattern) => pattern.test(normalized))) return 'hidden'
  return name === 'noscript' || FADING_STYLES.some((pattern) => pattern.test(normalized)) ? 'faint' : 'shown'
}
