// Converts the body of a DOCX, element by element, to lines of Markdown. Uses stacks, because paragraphs may contain text boxes, and
// table cells contain paragraphs and tables.

import { DOCUMENT_TABLE_COLUMNS_MAX } from '../../../../limits/files.ts'
import { cellText, tableRow, tableRule, type Lines } from '../common/markdown.ts'

import type { Lists, Styles } from './docx-styles.ts'
import type { Relation } from './package.ts'
import type { XmlAttributes, XmlEvents } from './xml.ts'

/** Elements that are not part of the current text: deleted or moved text, and alternatives for older programs. */
const IGNORED_ELEMENTS = new Set([
  'w:del',
  'w:moveFrom',
  'mc:Fallback',
  'w:instrText',
  'w:delText',
  'w:rPrChange',
  'w:pPrChange',
])
/** Length of a paragraph, which becomes one line. Markdown has no limit, but readers of lines have. */
const PARAGRAPH_MAX_CHARS = 100_000

interface Paragraph {
  text: string
  style: string
  list: string | null
  level: number | null
  outline: number | null
  /** The open link, with the offset at which its text begins, or null if no link is open. */
  link: { readonly from: number; readonly target: string } | null
}

interface Table {
  /** The cells of the open row. */
  cells: string[]
  cell: string[] | null
  /** The number of additional columns that the open cell spans. */
  extraColumns: number
  /** Whether the open cell continues a cell of the row above. */
  continued: boolean
  rows: number
}

export class DocxBody implements XmlEvents {
  /** The ids of the footnotes that the text refers to, and those of endnotes prefixed with `e`. */
  readonly notes = new Set<string>()
  readonly #styles: Styles
  readonly #lists: Lists
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #lines: Lines
  readonly #paragraphs: Paragraph[] = []
  readonly #tables: Table[] = []
  #ignoredDepth = 0
  #inText = false
  /** The kind of the last line. No blank line separates two list items. */
  #lastKind: 'list' | 'text' = 'text'

  constructor(styles: Styles, lists: Lists, relations: ReadonlyMap<string, Relation>, lines: Lines) {
    this.#styles = styles
    this.#lists = lists
    this.#relations = relations
    this.#lines = lines
  }

  isDone(): boolean {
    return this.#lines.full
  }

  /** Drops the state of elements that a truncated part left open. The parser has already closed them. */
  end(): void {
    this.#paragraphs.length = 0
    this.#tables.length = 0
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#inText = false
    if (this.#ignoredDepth > 0 || IGNORED_ELEMENTS.has(name)) {
      this.#ignoredDepth += 1
      return
    }
    if (name === 'w:p')
      this.#paragraphs.push({ text: '', style: '', list: null, level: null, outline: null, link: null })
    else if (name === 'w:tbl')
      this.#tables.push({ cells: [], cell: null, extraColumns: 0, continued: false, rows: 0 })
    else if (name === 'w:tc') this.#openCell()
    else if (name === 'w:gridSpan') this.#span(Number(attributes.get('w:val')))
    else if (name === 'w:vMerge') this.#continue(attributes.get('w:val') !== 'restart')
    else this.#inParagraph(name, attributes)
  }

  text(piece: string): void {
    if (this.#inText) this.#appendText(piece)
  }

  close(name: string): void {
    this.#inText = false
    if (this.#ignoredDepth > 0) {
      this.#ignoredDepth -= 1
      return
    }
    if (name === 'w:p') this.#closeParagraph()
    else if (name === 'w:hyperlink') this.#closeLink()
    else if (name === 'w:tc') this.#closeCell()
    else if (name === 'w:tr') this.#closeRow()
    else if (name === 'w:tbl') this.#closeTable()
  }

  #inParagraph(name: string, attributes: XmlAttributes): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    const value = attributes.get('w:val') ?? ''
    if (name === 'w:t' || name === 'm:t') this.#inText = true
    else if (name === 'w:tab') this.#appendText(paragraph.text === '' ? '' : '\t')
    else if (name === 'w:br' || name === 'w:cr') this.#appendText('\n')
    else if (name === 'w:noBreakHyphen') this.#appendText('-')
    else if (name === 'w:pStyle') paragraph.style = value
    else if (name === 'w:numId') paragraph.list = value
    else if (name === 'w:ilvl') paragraph.level = Number(value)
    else if (name === 'w:outlineLvl') paragraph.outline = Number(value)
    else if (name === 'w:footnoteReference') this.#note(attributes.get('w:id') ?? '')
    else if (name === 'w:endnoteReference') this.#note(`e${attributes.get('w:id') ?? ''}`)
    else if (name === 'w:hyperlink') {
      const relation = this.#relations.get(attributes.get('r:id') ?? '')
      if (relation?.external) paragraph.link = { from: paragraph.text.length, target: relation.target }
    }
  }

  #appendText(text: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph && paragraph.text.length < PARAGRAPH_MAX_CHARS) paragraph.text += text
  }

  #note(id: string): void {
    this.notes.add(id)
    this.#appendText(`[^${id}]`)
  }

  #closeLink(): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph?.link) return
    const { from, target } = paragraph.link
    const text = paragraph.text.slice(from)
    paragraph.link = null
    if (text.trim() === '' || text.trim() === target) return
    paragraph.text = `${paragraph.text.slice(0, from)}[${text}](${target.replace(/[\s()]/g, encodeURIComponent)})`
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (!paragraph) return
    const text = paragraph.text.replace(/[ \t]+\n/g, '\n').trim()
    const listLevel = this.#listLevelOf(paragraph)
    // An empty paragraph in a table cell is numbered too.
    const marker =
      listLevel === null || (text === '' && this.#tables.length === 0) ? '' : this.#lists.marker(listLevel)
    if (text === '') return
    const line = marker === '' ? text : `${marker} ${text}`
    const cell = this.#tables.at(-1)?.cell
    if (cell) {
      cell.push(line)
      return
    }
    const level =
      paragraph.outline !== null && paragraph.outline < 9
        ? Math.min(6, paragraph.outline + 1)
        : this.#styles.heading(paragraph.style)
    if (level !== null) {
      this.#gap('text')
      this.#lines.add(`${'#'.repeat(level)} ${line.replaceAll('\n', ' ')}`)
    } else if (marker !== '') {
      this.#gap('list')
      this.#lines.add(`${'  '.repeat(Math.min(listLevel?.level ?? 0, 9))}${line.replaceAll('\n', ' ')}`)
    } else {
      this.#gap('text')
      for (const part of text.split('\n')) this.#lines.add(part)
    }
  }

  #gap(kind: 'list' | 'text'): void {
    if (kind === 'text' || this.#lastKind === 'text') this.#lines.gap()
    this.#lastKind = kind
  }

  #listLevelOf({ list, level, style }: Paragraph): { readonly list: string; readonly level: number } | null {
    if (list === '0') return null // the paragraph was removed from the list of its style
    if (list !== null) return { list, level: level ?? 0 }
    const styleLevel = this.#styles.list(style)
    return styleLevel && { list: styleLevel.list, level: level ?? styleLevel.level }
  }

  #openCell(): void {
    const table = this.#tables.at(-1)
    if (!table) return
    table.cell = []
    table.extraColumns = 0
    table.continued = false
  }

  /** Records how many columns the open cell spans. All but the first stay empty. */
  #span(columns: number): void {
    const table = this.#tables.at(-1)
    if (table?.cell && columns > 1) table.extraColumns = Math.min(columns, DOCUMENT_TABLE_COLUMNS_MAX) - 1
  }

  #continue(continued: boolean): void {
    const table = this.#tables.at(-1)
    if (table?.cell) table.continued = continued
  }

  #closeCell(): void {
    const table = this.#tables.at(-1)
    if (!table?.cell) return
    const text = table.continued ? '' : cellText(table.cell.join('\n'))
    table.cell = null
    const columnsLeft = DOCUMENT_TABLE_COLUMNS_MAX - table.cells.length
    table.cells.push(...[text, ...Array<string>(table.extraColumns).fill('')].slice(0, columnsLeft))
  }

  #closeRow(): void {
    const table = this.#tables.at(-1)
    if (!table) return
    const { cells } = table
    table.cells = []
    if (cells.length === 0) return
    table.rows += 1
    const outerCell = this.#tables.at(-2)?.cell
    if (outerCell) {
      outerCell.push(cells.filter((cell) => cell !== '').join(' / '))
      return
    }
    if (table.rows === 1) this.#gap('text')
    this.#lines.add(tableRow(cells))
    if (table.rows === 1) this.#lines.add(tableRule(cells.length))
  }

  #closeTable(): void {
    this.#tables.pop()
    this.#lastKind = 'text'
  }
}
