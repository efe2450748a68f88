// Turns the tokens of one block into vnodes. Only the tags listed below are created, and no token's HTML is used: Markdown text
// never becomes markup.

import type { Token } from 'markdown-it'
import { h, type ComponentChild, type VNode } from 'preact'

import { CodeBlock } from './code.tsx'
import { hostBeside, isBareAddress, outward } from './links.ts'
import { TableBox } from './table.tsx'

/** Parser tag → page tag. Headings drop two levels, below the page's own. */
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
const TURNING = /[\u202A-\u202E]/g

interface Open {
  readonly children: ComponentChild[]
  readonly close: (children: ComponentChild[]) => ComponentChild
}

/** The content between the outermost tags, in order. `live`: the last fence may still be open. */
export function vnodesOf(tokens: readonly Token[], live = false): ComponentChild[] {
  const stack: Open[] = [{ children: [], close: () => null }]
  const put = (child: ComponentChild): void => void stack.at(-1)?.children.push(child)
  for (const [at, token] of tokens.entries()) {
    if (token.hidden) continue
    if (token.nesting === 1) {
      stack.push({ children: [], close: closing(token, tokens, at) })
    } else if (token.nesting === -1) {
      const done = stack.length > 1 ? stack.pop() : undefined
      if (done) put(done.close(done.children))
    } else {
      put(leaf(token, live))
    }
  }
  return stack[0]?.children ?? []
}

function closing(token: Token, tokens: readonly Token[], at: number): Open['close'] {
  if (token.type === 'link_open') return link(token, tokens, at)
  const tag = TAGS[token.tag]
  if (tag === undefined) return (children) => children
  if (tag === 'table') return (children) => <TableBox>{children}</TableBox>
  if (tag === 'li' && tokens[at + 2]) return item(tokens[at + 2])
  return (children) => h(tag, propsOf(token, tag), children)
}

function propsOf(token: Token, tag: string): Record<string, string | number> {
  if (tag === 'ol') {
    const start = Number(token.attrGet('start') ?? 1)
    return start === 1 ? {} : { start }
  }
  if (tag !== 'th' && tag !== 'td') return { dir: 'auto' }
  // The parser sets a style attribute, which the page's policy forbids.
  const side = /^text-align:(left|center|right)$/.exec(attr(token, 'style'))?.[1]
  return side === undefined ? {} : { class: side }
}

/** A list item that starts with `[ ]` or `[x]` is a task. */
function item(text: Token | undefined): Open['close'] {
  const mark = text?.type === 'inline' ? /^\[([ xX])\](?=\s)/.exec(text.content) : null
  const first = text?.children?.[0]
  if (!mark || first?.type !== 'text') return (children) => <li>{children}</li>
  first.content = first.content.replace(/^\[[ xX]\]\s?/, '')
  const done = mark[1] !== ' '
  const box = <input type="checkbox" disabled checked={done} aria-label={done ? 'Done' : 'To do'} />
  return (children) => (
    <li class="task">
      {box}
      <div>{children}</div>
    </li>
  )
}

function link(token: Token, tokens: readonly Token[], at: number): Open['close'] {
  const href = attr(token, 'href')
  const guessed = token.markup === 'linkify'
  if (guessed && !isBareAddress(tokens[at + 1]?.content ?? '')) return (children) => children
  const to = outward(href)
  // The tooltip shows the target of a link that is not followed, such as a file of the skill.
  if (to === null) return (children) => <span title={href}>{children}</span>
  const end = tokens.findIndex((one, n) => n > at && one.type === 'link_close')
  const text = tokens.slice(at + 1, end === -1 ? undefined : end).map((one) => one.content)
  return (children) => apart(to, text.join(''), children)
}

/**
 * A link that opens in a new tab without a referrer. Drops the Markdown title, which would hide the browser's hint of the
 * target.
 */
function apart(href: string, text: string, children: ComponentChild): VNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      {hostBeside(text, href) || undefined}
    </a>
  )
}

function leaf(token: Token, live: boolean): ComponentChild {
  switch (token.type) {
    case 'inline':
      return vnodesOf(token.children ?? [])
    case 'text':
    case 'text_special':
      return token.content.replace(TURNING, '')
    case 'code_inline':
      return <code>{token.content}</code>
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    case 'fence':
      return <CodeBlock text={token.content} language={token.info} live={live && !isClosed(token)} />
    case 'code_block':
      return <CodeBlock text={token.content} language="" live={live} />
    case 'image':
      return image(token)
    default:
      return token.content
  }
}

/** Markdown never loads a picture: it becomes a link. */
function image(token: Token): ComponentChild {
  const src = attr(token, 'src')
  const text = token.content || src
  const to = outward(src)
  return to === null ? <span title={src}>{text}</span> : apart(to, text, text)
}

/** '' if it is missing. */
function attr(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

/** Whether the fence is closed: it then has one line more than its opening line and content. */
function isClosed({ map, content }: Token): boolean {
  if (!map) return true
  const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length
  return map[1] - map[0] - 1 > lines
}
