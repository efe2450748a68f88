// Growing Markdown. Blocks that can no longer change are frozen: parsed once and kept as the same vnodes. Only the last block is
// parsed again. prose.tsx draws the result.

import { Fragment, type ComponentChild, type VNode } from 'preact'

import { OPEN_BLOCK_CHARS, OPEN_BLOCK_MS, PARSE_REST } from './limits.ts'
import { CodeBlock } from './code.tsx'
import { growingFence, type GrowingFence } from './growing-fence.ts'
import { growingTable, type GrowingTable } from './growing-table.tsx'
import { parseBlocks, type ParsedBlock, type References } from './parse.ts'
import { tidied } from './tidy.ts'
import { vnodesOf } from './vnodes.tsx'

/** Blocks compared and laid out as one. Finished ones away from the viewport cost nothing per frame. */
const PART = 16

export interface Live {
  /** Shows `text`. Text that does not extend the previous one starts over. */
  update(text: string, done: boolean): void
  /** ms to wait before the next update. */
  rest(): number
  /** The vnodes to draw. A block keeps its key, and a frozen block its vnode. */
  drawn(): ComponentChild
}

/** `now` in ms, to measure parsing. */
export function liveMarkdown(now: () => number): Live {
  let text = ''
  /** Frozen characters of the text. */
  let at = 0
  let references: References = {}
  let frozen: VNode[] = []
  let parts: VNode[] = []
  let open: readonly ComponentChild[] = []
  let fence: GrowingFence | null = null
  let table: GrowingTable | null = null
  /** Parsed complete lines of the open block. */
  let parsed = 0
  let rest = 0
  let finished = false

  function reset(): void {
    at = 0
    references = {}
    frozen = []
    parts = []
    leave()
  }
  function leave(): void {
    fence = null
    table = null
    parsed = 0
  }
  function freeze(children: ComponentChild): void {
    frozen.push(keyed(frozen.length, children))
  }

  /** Freezes the blocks in complete lines, except the last. */
  function settle(lines: string): void {
    const blocks = parseBlocks(lines, references)
    const last = blocks.at(-1)
    for (const block of blocks.slice(0, -1)) freeze(vnodesOf(block.tokens))
    if (!last) return
    const begin = lineStart(lines, blocks.length > 1 ? last.from : 0)
    at += begin
    parsed = lines.length - begin
    if (blocks.length > 1 || last.from === 0) grow(last, lines.slice(begin))
  }
  function grow({ tokens }: ParsedBlock, lines: string): void {
    const [first] = tokens
    if (first?.type === 'fence') fence = growingFence(first, lines)
    if (first?.type === 'table_open') table = growingTable(tokens, lines)
  }

  function showOpen(): void {
    const source = text.slice(at)
    if (fence) {
      const { language } = fence
      open = [keyed(frozen.length, <CodeBlock text={fence.content(source)} language={language} live />)]
    } else if (table) {
      open = [keyed(frozen.length, table.drawn(source, references))]
    } else {
      const blocks = parseBlocks(tidied(source), { ...references })
      open = blocks.map((block, n) => keyed(frozen.length + n, vnodesOf(block.tokens, true)))
    }
  }

  function advance(): void {
    const source = text.slice(at)
    const lines = source.slice(0, source.lastIndexOf('\n') + 1)
    if (fence?.closesIn(source)) leave()
    if (table && lines.length > parsed) {
      const left = table.take(lines.slice(parsed), references)
      parsed = lines.length
      if (left !== null) {
        freeze(table.drawn('', references))
        at += lines.length - left
        leave()
        advance()
        return
      }
    }
    if (!fence && !table && lines.length > parsed) settle(lines)
    showOpen()
  }

  function finish(): void {
    const defined = Object.keys(references).length > 0
    // A definition also applies to the text above it, so the whole text is parsed again.
    if (defined) reset()
    if (table) {
      const lines = text.slice(at)
      const left = table.take(lines.slice(parsed), references)
      freeze(table.drawn('', references))
      at += lines.length - (left ?? 0)
    }
    leave()
    for (const block of parseBlocks(text.slice(at), references)) freeze(vnodesOf(block.tokens))
    at = text.length
    open = []
    if (!defined && Object.keys(references).length > 0) finish()
  }

  return {
    update(given, done) {
      const began = now()
      const clean = unified(given, done)
      if (finished ? clean !== text : !clean.startsWith(text.slice(0, at))) reset()
      if (!clean.startsWith(text)) leave()
      text = clean
      finished = done
      if (done) finish()
      else advance()
      const long = text.length - at > OPEN_BLOCK_CHARS && !fence && !table
      rest = Math.max(PARSE_REST * (now() - began), long ? OPEN_BLOCK_MS : 0)
    },
    rest: () => rest,
    drawn() {
      const whole = Math.floor(frozen.length / PART)
      for (let n = parts.length; n < whole; n++)
        parts.push(part(n, true, frozen.slice(n * PART, (n + 1) * PART)))
      const last = [...frozen.slice(whole * PART), ...open]
      return last.length === 0 ? parts : [...parts, part(whole, false, last)]
    },
  }
}

function keyed(key: number, children: ComponentChild): VNode {
  return <Fragment key={key}>{children}</Fragment>
}

/** A container exists from its first block on, so that no block moves when it is full. */
function part(key: number, full: boolean, blocks: readonly ComponentChild[]): VNode {
  return (
    <div key={key} class={full ? 'part full' : 'part'}>
      {blocks}
    </div>
  )
}

/** Normalizes line ends as the parser does. While text may follow, a final carriage return may be half of a line end. */
function unified(text: string, done: boolean): string {
  if (!text.includes('\r')) return text
  return (done ? text : text.replace(/\r$/, '')).replace(/\r\n?/g, '\n')
}

function lineStart(text: string, line: number): number {
  let at = 0
  for (let n = 0; n < line; n++) at = text.indexOf('\n', at) + 1
  return at
}
