// How Markdown looks in a terminal: by style where there is colour, by signs where there is none. Knows no Markdown.

import { paint } from '../../lib/terminal.ts'

export interface Look {
  heading(text: string, level: number): string
  strong(text: string): string
  em(text: string): string
  struck(text: string): string
  code(text: string): string
  /** A line of a block of code, which is indented. */
  codeLine(text: string): string
  /** `href` is harmless and one line. */
  link(text: string, href: string): string
  /** Rules, bars and whatever else is not the text itself. */
  quiet(text: string): string
}

const COLOURED: Look = {
  heading: (text, level) => (level === 1 ? paint('underline', paint('bold', text)) : paint('bold', text)),
  strong: (text) => paint('bold', text),
  em: (text) => paint('italic', text),
  struck: (text) => paint('strikethrough', text),
  code: (text) => paint('cyan', text),
  codeLine: (text) => paint('cyan', text),
  link: (text, href) =>
    text === href ? paint('underline', href) : `${paint('underline', text)} ${paint('dim', `(${href})`)}`,
  quiet: (text) => paint('dim', text),
}

const PLAIN: Look = {
  heading: (text, level) => `${'#'.repeat(level)} ${text}`,
  strong: (text) => `**${text}**`,
  em: (text) => `*${text}*`,
  struck: (text) => `~~${text}~~`,
  code: (text) => `\`${text}\``,
  codeLine: (text) => text,
  link: (text, href) => (text === href ? href : `${text} (${href})`),
  quiet: (text) => text,
}

export function lookOf(colours: boolean): Look {
  return colours ? COLOURED : PLAIN
}

/** Whether `paint` paints: a terminal that can, and nobody who asked for none. */
export function hasColours(): boolean {
  return paint('bold', 'x') !== 'x'
}
