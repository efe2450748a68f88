// Turns the tokens of one block into vnodes. Only the tags that appear in this file are created, and no token is ever used as
// HTML.

import type { Token } from 'markdown-it'
import { h, type ComponentChild, type VNode } from 'preact'

import { CodeBlock } from './code.tsx'
import { cellsOf, createColumns } from './columns.ts'
import { Formula } from './formula.tsx'
import { SHORT_HEAD_CHARS_MAX } from './limits.ts'
import { realHostNote, isBareAddress, externalAddress } from './links.ts'
import { MarkdownPicture } from './pictures.tsx'
import { TableBox } from './table.tsx'

/** The page's tag for each tag of the parser. Headings move down two levels, below the page's own headings. */
const TAGS: Readonly<Record<string, string>> = {
  p: 'p',
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  strong: 'strong',
  em: 'em',
  s: 'del',
}

/** Bidirectional override characters, which also affect text after their element. Right-to-left scripts do not need them. */
const BIDI_OVERRIDES = /[\u202A-\u202E]/g

interface OpenElement {
  readonly children: ComponentChild[]
  readonly close: (children: ComponentChild[]) => ComponentChild
}

/** The vnodes for a list of tokens, in order. If `isGrowing` is true, the last fence may still be open. */
export function vnodesOf(tokens: readonly Token[], isGrowing = false): ComponentChild[] {
  const stack: OpenElement[] = [{ children: [], close: () => null }]
  const append = (child: ComponentChild): void => void stack.at(-1)?.children.push(child)
  for (const [index, token] of tokens.entries()) {
    if (token.hidden) continue
    if (token.nesting === 1) {
      stack.push({ children: [], close: closerFor(token, tokens, index) })
    } else if (token.nesting === -1) {
      const element = stack.length > 1 ? stack.pop() : undefined
      if (element) append(element.close(element.children))
    } else {
      append(renderLeaf(token, isGrowing))
    }
  }
  return stack[0]?.children ?? []
}

function closerFor(token: Token, tokens: readonly Token[], index: number): OpenElement['close'] {
  if (token.type === 'link_open') return linkCloser(token, tokens, index)
  const tag = TAGS[token.tag]
  if (tag === undefined) return (children) => children
  if (tag === 'table') return tableCloser(tokens.slice(index))
  if (tag === 'li' && tokens[index + 2]) return listItemCloser(tokens[index + 2])
  return (children) => h(tag, propsOf(token, tag, tokens[index + 1]?.content ?? ''), children)
}

/** `tokens`: from the table's opening token on. */
function tableCloser(tokens: readonly Token[]): OpenElement['close'] {
  const cells = cellsOf(
    tokens.slice(
      0,
      tokens.findIndex(({ type }) => type === 'table_close'),
    ),
  )
  const columns = createColumns()
  columns.add(cells.slice(1))
  return (children) => (
    <TableBox columns={columns.classes()} cells={() => cells}>
      {children}
    </TableBox>
  )
}

/** `text`: the content of a cell. */
function propsOf(token: Token, tag: string, text: string): Record<string, string | number> {
  if (tag === 'ol') {
    const start = Number(token.attrGet('start') ?? 1)
    return start === 1 ? {} : { start }
  }
  // Only top-level blocks set `dir`, because text in a nested block with its own `dir` would not count for the outer
  // one.
  if (tag !== 'th' && tag !== 'td') return token.level === 0 ? { dir: 'auto' } : {}
  // The parser sets a style attribute, which the page's Content-Security-Policy forbids.
  const alignment = /^text-align:(left|center|right)$/.exec(attributeOf(token, 'style'))?.[1]
  const isShortHead = tag === 'th' && text.length <= SHORT_HEAD_CHARS_MAX
  const classes = [alignment, isShortHead && 'short'].filter(Boolean).join(' ')
  return classes === '' ? {} : { class: classes }
}

/** A list item that starts with `[ ]` or `[x]` is a task. */
function listItemCloser(text: Token | undefined): OpenElement['close'] {
  const mark = text?.type === 'inline' ? /^\[([ xX])\](?=\s)/.exec(text.content) : null
  const first = text?.children?.[0]
  if (!mark || first?.type !== 'text') return (children) => <li>{children}</li>
  first.content = first.content.replace(/^\[[ xX]\]\s?/, '')
  const isDone = mark[1] !== ' '
  const taskMark = (
    <span class={isDone ? 'task-mark done' : 'task-mark'} role="img" aria-label={isDone ? 'Done' : 'To do'} />
  )
  return (children) => (
    <li class="task">
      {taskMark}
      <div>{children}</div>
    </li>
  )
}

function linkCloser(token: Token, tokens: readonly Token[], index: number): OpenElement['close'] {
  const href = attributeOf(token, 'href')
  const isGuessed = token.markup === 'linkify'
  if (isGuessed && !isBareAddress(tokens[index + 1]?.content ?? '')) return (children) => children
  const target = externalAddress(href)
  // A link that is not allowed, such as one to a file of a skill, shows its target in a tooltip.
  if (target === null) return (children) => <span title={href}>{children}</span>
  const end = tokens.findIndex((next, n) => n > index && next.type === 'link_close')
  const text = tokens.slice(index + 1, end === -1 ? undefined : end).map((next) => next.content)
  return (children) => externalLink(target, text.join(''), children)
}

/**
 * A link that opens in a new tab without a referrer. Ignores the link's Markdown title, which would cover the browser's preview
 * of the target.
 */
function externalLink(href: string, text: string, children: ComponentChild): VNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      {realHostNote(text, href) || undefined}
    </a>
  )
}

function renderLeaf(token: Token, isGrowing: boolean): ComponentChild {
  switch (token.type) {
    case 'inline':
      return vnodesOf(token.children ?? [])
    case 'text':
    case 'text_special':
      return token.content.replace(BIDI_OVERRIDES, '')
    case 'code_inline':
      return <code>{token.content}</code>
    case 'math':
      return renderFormula(token, isGrowing)
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    case 'fence':
      return (
        <CodeBlock text={token.content} language={token.info} isGrowing={isGrowing && !isClosed(token)} />
      )
    case 'code_block':
      return <CodeBlock text={token.content} language="" isGrowing={isGrowing} />
    case 'image':
      return renderImage(token)
    default:
      return token.content
  }
}

/** What only begins like a formula is text. While it grows it is hidden, because it may become one. */
function renderFormula({ content, markup, info }: Token, isGrowing: boolean): ComponentChild {
  const source = info.replace(BIDI_OVERRIDES, '')
  if (markup === '') return isGrowing ? null : <p dir="auto">{source}</p>
  return <Formula tex={content} isDisplayed={markup !== '\\('} source={source} />
}

/** A picture on the web is never loaded, but becomes a link. */
function renderImage(token: Token): ComponentChild {
  const src = attributeOf(token, 'src')
  const text = token.content || src
  const target = externalAddress(src)
  if (target !== null) return externalLink(target, text, text)
  return (
    <MarkdownPicture source={src} text={token.content || src.slice(src.lastIndexOf('/') + 1)}>
      <span title={src}>{text}</span>
    </MarkdownPicture>
  )
}

/** The value of a token's attribute, or '' if it is missing. */
function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

/** Whether the fence is closed. If so, it has one more line than its opening line and its content. */
function isClosed({ map, content }: Token): boolean {
  if (!map) return true
  const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length
  return map[1] - map[0] - 1 > lines
}
