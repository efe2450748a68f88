// Finds relative paths in a Markdown document, both in links and in the text. Does not resolve them.

export interface Pointer {
  /** The path as written, but decoded and without a leading `./` or a `#fragment`. */
  readonly target: string
  /** 1-based. */
  readonly line: number
  /** True for a Markdown link, false for a path in the text or in code. */
  readonly isLink: boolean
}

const FENCE = /^\s{0,3}(?:```|~~~)/
const CODE_SPAN = /`[^`]*`/g
// A target in `](…)` or after `[label]:`. Repetitions are bounded, so that a line of brackets takes linear time.
const LINK = /\]\(<?([^()<>\s]{1,300})>?(?:\s+["'(][^\n]{0,300})?\)/g
const DEFINITION = /^\s{0,3}\[[^\]]{1,200}\]:\s+<?([^<>\s]{1,300})>?/
/**
 * Paths in the standard folders of a skill, and in the misnamed ones that authors often use. Other paths may belong
 * to a user's project. Does not match inside `](…)`, which is a link or an example of one.
 */
const MENTION =
  /(?<![\w./\\$}>@*~-])(?<!\]\(<?)(?:\.\/|\{baseDir\}\/|\$\{CLAUDE_SKILL_DIR\}\/)?((?:references?|scripts?|assets?|templates?)\/[\w./-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w/*{<(-])/g
/** Matches drawings of folder trees, which often show the reader's files, not the skill's. */
const TREE = /[├└│]|\|--/
const PLACEHOLDER = /[{}<>*$\\|]|\.\.\.|…|^(?:URL|PATH|LINK|path\/to)\b|\b(?:your|my)[-_]|x{3,}/i

/** The pointers in a document, in line order. The same target may occur many times. */
export function pointersIn(text: string): readonly Pointer[] {
  const pointers: Pointer[] = []
  let isFenced = false
  for (const [index, line] of text.split('\n').entries()) {
    if (FENCE.test(line)) isFenced = !isFenced
    else if (!TREE.test(line)) {
      const mentioned = new Set(Array.from(line.matchAll(MENTION), ([, target = '']) => target))
      for (const target of isFenced ? [] : linkTargets(line)) {
        pointers.push({ target, line: index + 1, isLink: true })
        mentioned.delete(target)
      }
      for (const target of mentioned)
        if (!PLACEHOLDER.test(target)) pointers.push({ target, line: index + 1, isLink: false })
    }
  }
  return pointers
}

function linkTargets(line: string): string[] {
  const withoutCode = line.includes('`') ? line.replace(CODE_SPAN, '') : line
  const targets = Array.from(withoutCode.matchAll(LINK), ([, target = '']) => target)
  const definition = DEFINITION.exec(withoutCode)?.[1]
  if (definition !== undefined) targets.push(definition)
  return targets.map(relativePath).filter((target) => target !== null)
}

/** The relative path in a link; null for URLs, anchors, absolute paths and placeholders. */
function relativePath(targets: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[#/?@])/i.test(targets)) return null
  const path = decodePath(targets.replace(/[#?].*$/, '')).replace(/^(?:\.\/)+/, '')
  if (path === '' || path === '.' || PLACEHOLDER.test(path)) return null
  // A single word is more often an example (`[text](url)`) than a file.
  return /[./]/.test(path) ? path : null
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // A lone percent sign is part of the name.
  }
}
