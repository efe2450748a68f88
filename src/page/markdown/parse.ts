// GitHub-flavoured Markdown as top-level blocks of tokens. The only file that knows the parser; it is loaded when the first
// text is shown. Never makes markup: what becomes of a token is vnodes.tsx's.

import MarkdownIt, { type Env, type Token } from 'markdown-it'

import { keepTex } from '../../lib/markdown-math.ts'
import { MARKDOWN_NESTING } from './limits.ts'

/** Addresses of links by their names, as the text defines them. */
export type References = NonNullable<Env['references']>

export interface ParsedBlock {
  /** From its opening to its closing token. */
  readonly tokens: readonly Token[]
  /** First line, and the line after its last, of the text that was parsed. */
  readonly from: number
  readonly to: number
}

// No HTML: a tag is the text that it is. No typography: what a model wrote can be code.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: MARKDOWN_NESTING })
// Every address passes here, so that a link that may not be followed still shows its words; vnodes.tsx decides.
markdown.validateLink = () => true
// An address is shown as it was written: `xn--…` and `%E2%80%AE` say where it leads, the letters that they stand for may not.
markdown.normalizeLinkText = (url) => url
// `www.example.com` is only found together with all that looks like a domain; vnodes.tsx passes over the rest.
markdown.linkify.set({ fuzzyLink: true })
keepTex(markdown)

/** Blocks of `text`, in order. What it defines is added to `references`, and what they hold can be used by it. */
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
