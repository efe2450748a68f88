// Reads the styles and the list definitions of a DOCX, to recognize headings and to number lists.

import type { Package } from './package.ts'

/** The list of a paragraph, and its level in the list, from 0. */
export interface ListLevel {
  readonly list: string
  readonly level: number
}

export interface Style {
  readonly name: string
  readonly basedOn: string | null
  /** The heading level, from 0, or null if the style does not set one. */
  readonly outline: number | null
  readonly list: string | null
  readonly level: number | null
}

const STYLES_MAX = 10_000
/** Length of a chain of styles that are based on each other. Real chains stay below 10. */
const STYLE_CHAIN_MAX = 20

export class Styles {
  readonly #styles = new Map<string, Style>()

  static async read(parts: Package, part: string): Promise<Styles> {
    const styles = new Styles()
    let id = ''
    let style: Style | null = null
    await parts.xml(part, {
      open(name, attributes) {
        const value = attributes.get('w:val') ?? ''
        if (name === 'w:style') {
          id = attributes.get('w:styleId') ?? ''
          style = { name: '', basedOn: null, outline: null, list: null, level: null }
        }
        if (!style) return
        if (name === 'w:name') style = { ...style, name: value }
        if (name === 'w:basedOn') style = { ...style, basedOn: value }
        if (name === 'w:outlineLvl') style = { ...style, outline: Number(value) }
        if (name === 'w:numId') style = { ...style, list: value }
        if (name === 'w:ilvl') style = { ...style, level: Number(value) }
      },
      close(name) {
        if (name !== 'w:style' || !style) return
        if (styles.#styles.size < STYLES_MAX) styles.#styles.set(id, style)
        style = null
      },
    })
    return styles
  }

  /** The heading level of paragraphs in this style, from 1 to 6, or null if they are not headings. */
  heading(id: string): number | null {
    for (const { name, outline } of this.#chain(id)) {
      const headingNumber = /^(?:heading|überschrift|titre|título|titolo) (\d)$/i.exec(name)?.[1]
      if (headingNumber !== undefined) return Math.min(6, Number(headingNumber))
      if (outline !== null) return outline < 9 ? Math.min(6, outline + 1) : null
      if (/^title$/i.test(name)) return 1
    }
    return null
  }

  /** The list to which the style assigns its paragraphs, or null if there is none. */
  list(id: string): ListLevel | null {
    const chain = this.#chain(id)
    const list = chain.find((style) => style.list !== null)?.list ?? null
    if (list === null) return null
    return { list, level: chain.find((style) => style.level !== null)?.level ?? 0 }
  }

  #chain(id: string): readonly Style[] {
    const chain: Style[] = []
    for (let style = this.#styles.get(id); style && chain.length < STYLE_CHAIN_MAX;) {
      chain.push(style)
      style = style.basedOn === null ? undefined : this.#styles.get(style.basedOn)
    }
    return chain
  }
}

interface Level {
  format: string
  /** The pattern of the marker, such as `%1.%2)`, with placeholders for the numbers of the levels. */
  text: string
  start: number
}

export class Lists {
  readonly #levels = new Map<string, Level[]>()
  /** Maps the id of each list to the id of its abstract definition. */
  readonly #abstract = new Map<string, string>()
  readonly #counts = new Map<string, number[]>()

  static async read(parts: Package, part: string): Promise<Lists> {
    const lists = new Lists()
    let [abstract, list] = ['', '']
    let level: Level | null = null
    await parts.xml(part, {
      open(name, attributes) {
        const value = attributes.get('w:val') ?? ''
        if (name === 'w:abstractNum')
          lists.#levels.set((abstract = attributes.get('w:abstractNumId') ?? ''), [])
        if (name === 'w:num') list = attributes.get('w:numId') ?? ''
        if (name === 'w:abstractNumId' && lists.#abstract.size < STYLES_MAX) lists.#abstract.set(list, value)
        if (name === 'w:lvl' && list === '') {
          level = { format: 'decimal', text: '', start: 1 }
          const depth = Number(attributes.get('w:ilvl'))
          const levels = lists.#levels.get(abstract)
          if (levels && depth >= 0 && depth <= 9) levels[depth] = level
        }
        if (!level) return
        if (name === 'w:numFmt') level.format = value
        if (name === 'w:lvlText') level.text = value.slice(0, 100)
        if (name === 'w:start') level.start = Number(value) || 0
      },
      close(name) {
        if (name === 'w:lvl') level = null
      },
    })
    return lists
  }

  /** The marker of the next paragraph at this list level, such as `-`, `3.` or `2.1`. */
  marker({ list, level }: ListLevel): string {
    const abstract = this.#abstract.get(list) ?? ''
    const levels = this.#levels.get(abstract) ?? []
    const definition = levels[level]
    if (!definition || definition.format === 'bullet') return '-'
    if (definition.format === 'none') return ''
    const counts = this.#counts.get(abstract) ?? []
    this.#counts.set(abstract, counts)
    counts[level] = (counts[level] ?? definition.start - 1) + 1
    counts.length = level + 1
    const marker = definition.text.replace(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1
      return numeral(counts[index] ?? levels[index]?.start ?? 1, levels[index]?.format ?? 'decimal')
    })
    return marker.trim() || '-'
  }
}

function numeral(count: number, format: string): string {
  const letter = (firstCharCode: number): string =>
    String.fromCharCode(firstCharCode + ((count - 1) % 26)).repeat(Math.min(5, Math.ceil(count / 26)))
  if (count < 1) return String(count)
  if (format === 'lowerLetter') return letter(97)
  if (format === 'upperLetter') return letter(65)
  if (format === 'lowerRoman') return roman(count)
  if (format === 'upperRoman') return roman(count).toUpperCase()
  return String(count)
}

const ROMAN: readonly (readonly [value: number, letters: string])[] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function roman(count: number): string {
  let [remainder, text] = [count % 400, '']
  for (const [value, letters] of ROMAN) for (; remainder >= value; remainder -= value) text += letters
  return text
}
