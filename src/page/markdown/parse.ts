// Parses GitHub-flavoured Markdown into top-level blocks of tokens. The only file that imports the parser, which is loaded with
// the first text. Creates no markup; vnodes.tsx turns tokens into elements.

import MarkdownIt, { type Env, type Token } from 'markdown-it'

import { keepTex } from '../../lib/markdown-math.ts'
import { MARKDOWN_NESTING_MAX } from './limits.ts'

/** Link addresses by reference name. */
export type References = NonNullable<Env['references']>

export interface ParsedBlock {
  /** The tokens from the opening to the closing token. */
  readonly tokens: readonly Token[]
  /** The index of the block's first line in the text. */
  readonly firstLine: number
  /** The index of the line after the block's last line. */
  readonly endLine: number
}

// No HTML: tags are shown as text. No typographic replacement: the text may be code.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: MARKDOWN_NESTING_MAX })
// Accept every address, so that a rejected link still shows its text. vnodes.tsx decides which links are allowed.
markdown.validateLink = () => true
// Show an address as written, because decoding `xn--…` or `%E2%80%AE` could disguise the target.
markdown.normalizeLinkText = (url) => url
// Linking `www.example.com` also links everything else that looks like a domain; vnodes.tsx filters those links out.
markdown.linkify.set({ fuzzyLink: true })
keepTex(markdown, { asText: false })

/** The blocks of `text`, in order. Links can use the definitions in `references`, to which those in `text` are added. */
export function parseBlocks(text: string, references: References): readonly ParsedBlock[] {
  const tokens = markdown.parse(text, { references })
  const blocks: ParsedBlock[] = []
  let start = 0
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    depth += token.nesting
    if (depth > 0) continue
    const [firstLine, endLine] = tokens[start]?.map ?? [0, 0]
    blocks.push({ tokens: tokens.slice(start, index + 1), firstLine, endLine })
    start = index + 1
  }
  return blocks
}
