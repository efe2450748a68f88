// Renders Markdown while it grows. Blocks that can no longer change are frozen: they are parsed once, and their vnodes are
// reused. Only the last block is parsed again. prose.tsx shows the result.

import { Fragment, type ComponentChild, type VNode } from 'preact'

import { LONG_BLOCK_MIN_CHARS, LONG_BLOCK_PARSE_INTERVAL_MS, PARSE_PAUSE_FACTOR } from './limits.ts'
import { CodeBlock } from './code.tsx'
import { createGrowingFence, type GrowingFence } from './growing-fence.ts'
import { createGrowingTable, type GrowingTable } from './growing-table.tsx'
import { parseBlocks, type ParsedBlock, type References } from './parse.ts'
import { hideIncompleteSyntax } from './incomplete-syntax.ts'
import { vnodesOf } from './vnodes.tsx'

/** Number of blocks per container. A full container away from the viewport costs nothing per frame. */
const CONTAINER_BLOCKS = 16

export interface LiveMarkdown {
  /** Parses `text`. Starts over if it does not extend the previous text. */
  update(text: string, done: boolean): void
  /** The pause in ms before the next update. */
  pauseMs(): number
  /** The vnodes to render. A block keeps its key, and a frozen block keeps its vnode. */
  render(): ComponentChild
}

/** `now`: returns the time in ms, to measure how long parsing takes. */
export function createLiveMarkdown(now: () => number): LiveMarkdown {
  let text = ''
  /** The number of characters of the text that are frozen. */
  let frozenLength = 0
  let references: References = {}
  let frozenVnodes: VNode[] = []
  let containers: VNode[] = []
  let openVnodes: readonly ComponentChild[] = []
  let fence: GrowingFence | null = null
  let table: GrowingTable | null = null
  /** The length of the open block's complete lines that are already parsed. */
  let parsedLength = 0
  let nextPauseMs = 0
  let isFinished = false

  function reset(): void {
    frozenLength = 0
    references = {}
    frozenVnodes = []
    containers = []
    resetOpenBlock()
  }
  function resetOpenBlock(): void {
    fence = null
    table = null
    parsedLength = 0
  }
  function freeze(children: ComponentChild): void {
    frozenVnodes.push(withKey(frozenVnodes.length, children))
  }

  /** Freezes all blocks in the complete lines except the last, which may still grow. */
  function freezeComplete(lines: string): void {
    const blocks = parseBlocks(lines, references)
    const lastBlock = blocks.at(-1)
    for (const block of blocks.slice(0, -1)) freeze(vnodesOf(block.tokens))
    if (!lastBlock) return
    // A table ends at a blank line, so the text after it is not another row.
    if (lastBlock.tokens[0]?.type === 'table_open' && lastBlock.endLine < lines.split('\n').length - 1) {
      freeze(vnodesOf(lastBlock.tokens))
      frozenLength += lines.length
      parsedLength = 0
      return
    }
    const openOffset = lineOffset(lines, blocks.length > 1 ? lastBlock.firstLine : 0)
    frozenLength += openOffset
    parsedLength = lines.length - openOffset
    if (blocks.length > 1 || lastBlock.firstLine === 0) startGrowing(lastBlock, lines.slice(openOffset))
  }
  function startGrowing({ tokens }: ParsedBlock, lines: string): void {
    const [first] = tokens
    if (first?.type === 'fence') fence = createGrowingFence(first, lines)
    if (first?.type === 'table_open') table = createGrowingTable(tokens, lines)
  }

  function renderOpenBlock(): void {
    const source = text.slice(frozenLength)
    if (fence) {
      const { language } = fence
      openVnodes = [
        withKey(
          frozenVnodes.length,
          <CodeBlock text={fence.content(source)} language={language} isGrowing />,
        ),
      ]
    } else if (table) {
      openVnodes = [withKey(frozenVnodes.length, table.render(source, references))]
    } else {
      const blocks = parseBlocks(hideIncompleteSyntax(source), { ...references })
      openVnodes = blocks.map((block, n) => withKey(frozenVnodes.length + n, vnodesOf(block.tokens, true)))
    }
  }

  function parseNewLines(): void {
    const source = text.slice(frozenLength)
    const lines = source.slice(0, source.lastIndexOf('\n') + 1)
    if (fence?.isClosedIn(source)) resetOpenBlock()
    if (table && lines.length > parsedLength) {
      const nextBlockLength = table.addLines(lines.slice(parsedLength), references)
      parsedLength = lines.length
      if (nextBlockLength !== null) {
        freeze(table.render('', references))
        frozenLength += lines.length - nextBlockLength
        resetOpenBlock()
        parseNewLines()
        return
      }
    }
    if (!fence && !table && lines.length > parsedLength) freezeComplete(lines)
    renderOpenBlock()
  }

  function finish(): void {
    const hasDefinitions = Object.keys(references).length > 0
    // A reference definition also applies to the text above it, so the whole text is parsed again.
    if (hasDefinitions) reset()
    if (table) {
      const lines = text.slice(frozenLength)
      const nextBlockLength = table.addLines(lines.slice(parsedLength), references)
      freeze(table.render('', references))
      frozenLength += lines.length - (nextBlockLength ?? 0)
    }
    resetOpenBlock()
    for (const block of parseBlocks(text.slice(frozenLength), references)) freeze(vnodesOf(block.tokens))
    frozenLength = text.length
    openVnodes = []
    if (!hasDefinitions && Object.keys(references).length > 0) finish()
  }

  return {
    update(newText, done) {
      const startedAt = now()
      const normalized = normalizeLineEnds(newText, done)
      if (isFinished ? normalized !== text : !normalized.startsWith(text.slice(0, frozenLength))) reset()
      if (!normalized.startsWith(text)) resetOpenBlock()
      text = normalized
      isFinished = done
      if (done) finish()
      else parseNewLines()
      const isLong = text.length - frozenLength > LONG_BLOCK_MIN_CHARS && !fence && !table
      nextPauseMs = Math.max(
        PARSE_PAUSE_FACTOR * (now() - startedAt),
        isLong ? LONG_BLOCK_PARSE_INTERVAL_MS : 0,
      )
    },
    pauseMs: () => nextPauseMs,
    render() {
      const fullContainers = Math.floor(frozenVnodes.length / CONTAINER_BLOCKS)
      for (let n = containers.length; n < fullContainers; n++)
        containers.push(
          renderContainer(n, true, frozenVnodes.slice(n * CONTAINER_BLOCKS, (n + 1) * CONTAINER_BLOCKS)),
        )
      const partialContainer = [...frozenVnodes.slice(fullContainers * CONTAINER_BLOCKS), ...openVnodes]
      return partialContainer.length === 0
        ? containers
        : [...containers, renderContainer(fullContainers, false, partialContainer)]
    },
  }
}

function withKey(key: number, children: ComponentChild): VNode {
  return <Fragment key={key}>{children}</Fragment>
}

/** A container is created with its first block, so that no block moves when the container is full. */
function renderContainer(key: number, isFull: boolean, blocks: readonly ComponentChild[]): VNode {
  return (
    <div key={key} class={isFull ? 'part full' : 'part'}>
      {blocks}
    </div>
  )
}

/** Normalizes line endings as the parser does. While text may follow, a final carriage return may be half of a line ending. */
function normalizeLineEnds(text: string, done: boolean): string {
  if (!text.includes('\r')) return text
  return (done ? text : text.replace(/\r$/, '')).replace(/\r\n?/g, '\n')
}

function lineOffset(text: string, line: number): number {
  let offset = 0
  for (let n = 0; n < line; n++) offset = text.indexOf('\n', offset) + 1
  return offset
}
