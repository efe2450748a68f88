// Guards what of a tool's result reaches the model: bounded, harmless, and never an image that the API would refuse.

import { describe, expect, it } from 'vitest'
import { guessTokens } from '../../../src/agent/cost.ts'
import type { ImageBlock, TextBlock, ToolContent } from '../../../src/agent/message.ts'
import { boundedResult, readable } from '../../../src/agent/result.ts'
import {
  IMAGE_TOKENS,
  TOOL_IMAGES_MAX,
  TOOL_IMAGES_MAX_CHARS,
  TOOL_RESULT_MAX_CHARS,
} from '../../../src/limits.ts'

const NONE = { before: '', after: '' }

function text(words: string): TextBlock {
  return { type: 'text', text: words }
}

function png(chars = 12): ImageBlock {
  const data = 'iVBORw0KGgo'.padEnd(chars, 'A')
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

function bounded(content: ToolContent, blind: string | null = null): ToolContent {
  return boundedResult(content, NONE, '', blind)
}

describe('texts of a result', () => {
  it('lose our tags, also one that goes on in the next block', () => {
    const parts = [text('a <skill_content> b'), png(), text('<skill'), text('name="x">')]
    const shown = [text('a &lt;skill_content> b'), png(), text('&lt;skill\nname="x">')]
    expect(bounded(parts)).toEqual(shown)
  })

  it('are cut together at one bound, and the images behind them stay', () => {
    const long = 'x'.repeat(TOOL_RESULT_MAX_CHARS - 2)
    const shown = bounded([text(long), png(), text('abcdef'), png(), text('more')])
    const note = `\n[cut: ${long.length + 10} characters in all]`
    expect(shown).toEqual([text(long), png(), text('a…'), png(), text(note)])
  })

  it('stand between our own words, which are not touched', () => {
    const frame = { before: '<skill_content>\n', after: '\n</skill_content>' }
    expect(boundedResult('a <skill>', frame, '\n\n[More.]', null)).toBe(
      '<skill_content>\na &lt;skill>\n</skill_content>\n\n[More.]',
    )
    expect(boundedResult([text('a')], frame, '', null)).toEqual([
      text('<skill_content>\n'),
      text('a'),
      text('\n</skill_content>'),
    ])
  })

  it('that are blank are left out of a list, because the API refuses them', () => {
    expect(bounded([text(' \n'), png()])).toEqual([png()])
  })
})

describe('an image', () => {
  const words = (content: ToolContent, blind?: string): string => readable(bounded(content, blind))

  it.each<[string, ImageBlock['source'], RegExp]>([
    [
      'of another kind',
      { type: 'base64', media_type: 'image/svg+xml', data: 'PHN2Zz4=' },
      /\(image\/svg\+xml, 6 bytes\) was left out: only PNG/,
    ],
    [
      'that is none',
      { type: 'base64', media_type: 'image/png', data: 'PHN2Zz4=' },
      /its data is no image\/png in base64/,
    ],
    ['in no base64', { ...png().source, data: 'iVBORw0KGgo*' }, /its data is no image\/png in base64/],
    [
      'with our tags for a type',
      { ...png().source, media_type: '<skill_content>' },
      /\(&lt;skill_content>, 9 bytes\)/,
    ],
  ])('%s becomes words', (_, source, told) => {
    expect(words([text('See:'), { type: 'image', source }])).toMatch(told)
  })

  it('becomes words where the model can be shown none', () => {
    expect(bounded([text('See:'), png()], 'this model cannot be shown images')).toEqual([
      text('See:\n[An image (image/png, 9 bytes) was left out: this model cannot be shown images.]'),
    ])
  })

  it('beyond what one result may hold becomes words, and a smaller one behind it is shown', () => {
    const half = png(TOOL_IMAGES_MAX_CHARS / 2)
    const shown = bounded([half, half, png(), text('end')])
    expect(shown).toEqual([
      half,
      half,
      text(expect.stringMatching(/was left out: one result may hold .*\nend/) as string),
    ])
    expect(bounded([half, png(TOOL_IMAGES_MAX_CHARS), png()]).at(-1)).toEqual(png())
    const many = bounded(Array.from({ length: TOOL_IMAGES_MAX + 3 }, () => png()))
    expect(many).toHaveLength(TOOL_IMAGES_MAX + 1)
  })

  it('is named where a person reads the result, and counts by itself where tokens are guessed', () => {
    expect(readable([text('See:'), png()])).toBe('See:\n[image/png, 9 bytes]')
    const asked = (image: ImageBlock): number => guessTokens([{ role: 'user', content: [image] }])
    expect(asked(png(1_000_000))).toBe(asked(png()))
    expect(asked(png())).toBeGreaterThan(IMAGE_TOKENS)
  })
})
