// The tags by which Satchel marks its own text for the model. One list for who writes them and who defuses them.

/** Whatever stands between such tags was put there by Satchel; foreign text must not be able to open or close one. */
export const FRAMEWORK_TAGS = [
  'available_skills',
  'skill',
  'skill_content',
  'skill_resources',
  'skill_dependencies',
  'called_skills',
  'skill_request',
  'skills_notice',
  'request_context',
  'webhook_payload',
] as const

export type FrameworkTag = (typeof FRAMEWORK_TAGS)[number]

// A model reads through characters that have no shape, so they may stand anywhere inside a forged tag: controls and
// format characters, combining joiner, Hangul fillers, Khmer and Mongolian invisibles, variation selectors.
const HIDDEN = String.raw`\p{Cc}\p{Cf}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\uFE00-\uFE0F`
// One class and a slash outside it: no two ways to match a text, so matching takes linear time.
const BLANK = String.raw`[\s${HIDDEN}]*`
// Full-width and small forms of "<", "/" and "_" look the same to a model.
const OPENER = String.raw`[<\uFF1C\uFE64]`
const SLASH = String.raw`[/\\\uFF0F\u2044\u2215]`
const LOW_LINE = String.raw`[_\uFF3F]`

function spelled(tag: string): string {
  return Array.from(tag, (char) => (char === '_' ? LOW_LINE : char)).join(`[${HIDDEN}]*`)
}

const FORGED = new RegExp(
  String.raw`${OPENER}(?=${BLANK}(?:${SLASH}${BLANK})*(?:${FRAMEWORK_TAGS.map(spelled).join('|')})(?![\w-]))`,
  'giu',
)

/** Makes our own tags in foreign text harmless (`<` becomes `&lt;`); every other character stays as it is. */
export function defuseTags(text: string): string {
  return text.replace(FORGED, '&lt;')
}

export function openTag(tag: FrameworkTag): string {
  return `<${tag}>`
}

export function closeTag(tag: FrameworkTag): string {
  return `</${tag}>`
}
