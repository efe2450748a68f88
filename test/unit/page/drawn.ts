// Turns vnodes into comparable text, without a browser.

import { Fragment, isValidElement, type ComponentChild } from 'preact'

import { CodeBlock, type CodeProps } from '../../../src/page/markdown/code.tsx'
import { Formula, type FormulaProps } from '../../../src/page/markdown/formula.tsx'
import { createLiveMarkdown } from '../../../src/page/markdown/live.tsx'
import { MarkdownPicture } from '../../../src/page/markdown/pictures.tsx'
import { TableBox } from '../../../src/page/markdown/table.tsx'

const SHOWN = ['class', 'href', 'start', 'title', 'rel', 'target', 'checked', 'disabled', 'aria-label']

/** Adjacent texts are one, as they are on the page. */
export function drawn(child: ComponentChild): string {
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  if (Array.isArray(child)) return child.map(drawn).join('')
  if (typeof child !== 'object') return escaped(String(child))
  if (!isValidElement(child)) throw new Error('a child that is no vnode')
  // An element's props can be of any type.
  const { type, props } = child as { readonly type: unknown; readonly props: Record<string, unknown> }
  const inner = drawn(props['children'] as ComponentChild)
  // Parts exist only for the layout.
  if (type === MarkdownPicture || type === Fragment || String(props['class']).startsWith('part')) return inner
  if (type === TableBox) return `<table>${inner}</table>`
  if (type === Formula) {
    const { tex, isDisplayed } = props as unknown as FormulaProps
    return `<formula${isDisplayed ? ' displayed' : ''}>${escaped(tex)}</formula>`
  }
  if (type === CodeBlock) {
    const { text, language, isGrowing } = props as unknown as CodeProps
    return `<code-block ${language}${isGrowing ? ' live' : ''}>${escaped(text)}</code-block>`
  }
  if (typeof type !== 'string') throw new Error('a part that this does not know')
  const shown = SHOWN.filter((name) => props[name] !== undefined && props[name] !== false)
  const attributes = shown.map((name) => ` ${name}="${String(props[name])}"`).join('')
  return `<${type}${attributes}>${inner}</${type}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** A whole text, parsed at once. */
export function whole(text: string): string {
  const live = createLiveMarkdown(() => 0)
  live.update(text, true)
  return drawn(live.render())
}
