// A small Markdown: headings, lists, code, quotes, bold, italic, inline code, https links. Text in, plain data out:
// nothing here is HTML, and what is not understood stays text.

/** @typedef {{ indent: number, start: number | null, text: string }} ListItem `start` null: a bullet */
/** @typedef {{ kind: 'text' | 'code' | 'strong' | 'em' | 'link', text: string, href?: string }} Span */
/**
 * @typedef {{ kind: 'heading', level: number, source: string }
 *   | { kind: 'paragraph' | 'quote' | 'code', source: string }
 *   | { kind: 'rule', source: string }
 *   | { kind: 'list', items: ListItem[], source: string }} MarkBlock
 */

// Bounded runs: model text may be hostile, and each pattern stays linear on it.
const SPAN =
  /`([^`\n]{1,500})`|\*\*(\S[^*\n]{0,500})\*\*|(?<![\w*])\*(\S[^*\n]{0,500})\*(?![\w*])|\[([^\][\n]{1,300})\]\((https:\/\/[^\s()<>"]{1,2000})\)/g
const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}(#{1,6}) +(.*)$/
const ITEM = /^( {0,12})(?:[-*+]|(\d{1,9})[.)]) +(.*)$/
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/
const QUOTE = /^ {0,3}> ?/

/**
 * @param {string} text
 * @returns {MarkBlock[]} in order; `source` is what the reader is shown, without the marks
 */
export function parseMarkdown(text) {
  /** @type {MarkBlock[]} */
  const blocks = []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  for (let n = 0; n < lines.length;) {
    const line = lines[n] ?? ''
    const fence = FENCE.exec(line)?.[1]
    const heading = HEADING.exec(line)
    if (fence) {
      let last = n + 1
      while (last < lines.length && lines[last]?.trim() !== fence) last++
      blocks.push({ kind: 'code', source: lines.slice(n + 1, last).join('\n') })
      n = last + 1
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, source: heading[2] ?? '' })
      n++
    } else if (RULE.test(line)) {
      blocks.push({ kind: 'rule', source: '' })
      n++
    } else if (ITEM.test(line)) {
      n = list(lines, n, blocks)
    } else if (line.trim() === '') {
      n++
    } else {
      const quoted = QUOTE.test(line)
      const start = n++
      while (n < lines.length && QUOTE.test(lines[n] ?? '') === quoted && !opens(lines[n] ?? '')) n++
      const source = lines.slice(start, n).map((one) => (quoted ? one.replace(QUOTE, '') : one.trim()))
      blocks.push({ kind: quoted ? 'quote' : 'paragraph', source: source.join('\n') })
    }
  }
  return blocks
}

/**
 * @param {string} text
 * @returns {Span[]}
 */
export function parseSpans(text) {
  /** @type {Span[]} */
  const spans = []
  let at = 0
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, em, label, href] = match
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) })
    at = match.index + whole.length
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (em !== undefined) spans.push({ kind: 'em', text: em })
    else if (label !== undefined && href !== undefined) spans.push({ kind: 'link', text: label, href })
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) })
  return spans
}

/** @param {string} line */
function opens(line) {
  return line.trim() === '' || [FENCE, HEADING, RULE, ITEM].some((mark) => mark.test(line))
}

/**
 * @param {readonly string[]} lines
 * @param {number} from
 * @param {MarkBlock[]} blocks
 * @returns {number} the line after the list
 */
function list(lines, from, blocks) {
  /** @type {ListItem[]} */
  const items = []
  let n = from
  for (; n < lines.length; n++) {
    const line = lines[n] ?? ''
    const item = RULE.test(line) ? null : ITEM.exec(line)
    const last = items.at(-1)
    if (item) {
      const start = item[2] === undefined ? null : Number(item[2])
      items.push({ indent: item[1]?.length ?? 0, start, text: item[3] ?? '' })
    } else if (last && /^ +\S/.test(line) && !opens(line)) {
      last.text += `\n${line.trim()}`
    } else if (line.trim() !== '' || !ITEM.test(lines[n + 1] ?? '')) {
      break
    }
  }
  blocks.push({ kind: 'list', items, source: JSON.stringify(items) })
  return n
}
