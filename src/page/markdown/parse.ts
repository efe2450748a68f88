// Parses GitHub-flavoured Markdown into top-level blocks of tokens. The only file that knows the parser, which loads with the
// first text. Never creates markup: vnodes.tsx does.

import MarkdownIt, { type Env, type Token } from 'markdown-it'

import { keepTex } from '../../lib/markdown-math.ts'
import { MARKDOWN_NESTING } from './limits.ts'

/** Link addresses by reference name. */
export type References = NonNullable<Env['references']>

export interface ParsedBlock {
  /** From the opening to the closing token. */
  readonly tokens: readonly Token[]
  /** The block's first line, and the line after its last. */
  readonly from: number
  readonly to: number
}

// No HTML: tags are shown as text. No typographic replacement: the text may be code.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: MARKDOWN_NESTING })
// Accept every address here, so that a refused link still shows its text; vnodes.tsx decides.
markdown.validateLink = () => true
// Show an address as written: decoding `xn--…` or `%E2%80%AE` could disguise the target.
markdown.normalizeLinkText = (url) => url
// Finding `www.example.com` also finds everything else that looks like a domain; vnodes.tsx skips those.
markdown.linkify.set({ fuzzyLink: true })
keepTex(markdown)

/** The blocks of `text`, in order. Adds its reference definitions to `references`, which its links can use. */
export function parseBlocks(text: string, references: References): readonly ParsedBlock[] {
  const tokens = markdown.parse(text, { references })
  const blocks: ParsedBlock[] = []
  let start = 0
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    depth += token.nesting
    if (depth > 0) continue
    const [from, to] = tokens[start]?.map ?? [0, 0]
    blocks.push({ tokens: tokens.slice(start, at + 1), from, to })
    start = at + 1
  }
  return blocks
}
