// Styles of Markdown in a terminal: colours, or Markdown characters if there are no colours. Does not parse.

import { paint } from '../../lib/terminal.ts'

export interface MarkdownStyle {
  heading(text: string, level: number): string
  strong(text: string): string
  em(text: string): string
  struck(text: string): string
  code(text: string): string
  /** A line of a code block; the caller indents it. */
  codeLine(text: string): string
  /** The caller has made `href` harmless and one line. */
  link(text: string, href: string): string
  /** Rules, bars and other decoration. */
  muted(text: string): string
}

const COLOURED_STYLE: MarkdownStyle = {
  heading: (text, level) => (level === 1 ? paint('underline', paint('bold', text)) : paint('bold', text)),
  strong: (text) => paint('bold', text),
  em: (text) => paint('italic', text),
  struck: (text) => paint('strikethrough', text),
  code: (text) => paint('cyan', text),
  codeLine: (text) => paint('cyan', text),
  link: (text, href) =>
    text === href ? paint('underline', href) : `${paint('underline', text)} ${paint('dim', `(${href})`)}`,
  muted: (text) => paint('dim', text),
}

const PLAIN_STYLE: MarkdownStyle = {
  heading: (text, level) => `${'#'.repeat(level)} ${text}`,
  strong: (text) => `**${text}**`,
  em: (text) => `*${text}*`,
  struck: (text) => `~~${text}~~`,
  code: (text) => `\`${text}\``,
  codeLine: (text) => text,
  link: (text, href) => (text === href ? href : `${text} (${href})`),
  muted: (text) => text,
}

export function styleFor(colours: boolean): MarkdownStyle {
  return colours ? COLOURED_STYLE : PLAIN_STYLE
}

/** Whether `paint` adds styles: the terminal supports colours, and they are not disabled. */
export function hasColours(): boolean {
  return paint('bold', 'x') !== 'x'
}
