// What a Markdown document points to by a relative path: its links, and paths it mentions. Resolves none of them.

export interface Pointer {
  /** As written, without `./` before and `#part` behind it; `%20` and the like are decoded. */
  readonly target: string
  /** 1-based. */
  readonly line: number
  /** A Markdown link; else a path in the text or in code. */
  readonly link: boolean
}

const FENCE = /^\s{0,3}(?:```|~~~)/
const CODE_SPAN = /`[^`]*`/g
// A target stands in `](…)` or after `[label]:`; bounded, so that no line of brackets costs more than its length.
const LINK = /\]\(<?([^()<>\s]{1,300})>?(?:\s+["'(][^\n]{0,300})?\)/g
const DEFINITION = /^\s{0,3}\[[^\]]{1,200}\]:\s+<?([^<>\s]{1,300})>?/
/** The folders of a skill, and the wrong names they are often given; other paths may belong to somebody's
 * project, and what stands in `](…)` is a link or an example of one. */
const MENTION =
  /(?<![\w./\\$}>@*~-])(?<!\]\(<?)(?:\.\/|\{baseDir\}\/|\$\{CLAUDE_SKILL_DIR\}\/)?((?:references?|scripts?|assets?|templates?)\/[\w./-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7})(?![\w/*{<(-])/g
/** Drawings of folders show what a reader might have, often not what this skill has. */
const TREE = /[├└│]|\|--/
/** What stands for something else. */
const PLACEHOLDER = /[{}<>*$\\|]|\.\.\.|…|^(?:URL|PATH|LINK|path\/to)\b|\b(?:your|my)[-_]|x{3,}/i

/** In the order of the lines; a document may name the same target many times. */
export function pointersIn(text: string): readonly Pointer[] {
  const pointers: Pointer[] = []
  let fenced = false
  for (const [at, line] of text.split('\n').entries()) {
    if (FENCE.test(line)) fenced = !fenced
    else if (!TREE.test(line)) {
      const mentioned = new Set(Array.from(line.matchAll(MENTION), ([, target = '']) => target))
      for (const target of fenced ? [] : linked(line)) {
        pointers.push({ target, line: at + 1, link: true })
        mentioned.delete(target)
      }
      for (const target of mentioned)
        if (!PLACEHOLDER.test(target)) pointers.push({ target, line: at + 1, link: false })
    }
  }
  return pointers
}

function linked(line: string): string[] {
  const bare = line.includes('`') ? line.replace(CODE_SPAN, '') : line
  const written = Array.from(bare.matchAll(LINK), ([, target = '']) => target)
  const defined = DEFINITION.exec(bare)?.[1]
  if (defined !== undefined) written.push(defined)
  return written.map(relative).filter((target) => target !== null)
}

/** Null for what is no path inside a skill: addresses, anchors, absolute paths, placeholders. */
function relative(written: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[#/?@])/i.test(written)) return null
  const path = decoded(written.replace(/[#?].*$/, '')).replace(/^(?:\.\/)+/, '')
  if (path === '' || path === '.' || PLACEHOLDER.test(path)) return null
  // A word alone is more often an example (`[text](url)`) than a file.
  return /[./]/.test(path) ? path : null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // a stray per cent sign is part of the name
  }
}
