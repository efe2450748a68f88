// Guards which parts of a tool's result reach the model: bounded, harmless, and without an image that the API would
// refuse.

import { describe, expect, it } from 'vitest'
import { estimateUnmeasuredTokens } from '../../../src/agent/cost.ts'
import type { ImageBlock, TextBlock, ToolContent } from '../../../src/agent/message.ts'
import { limitResult, imageLimits, noImageSpace, toDisplayText } from '../../../src/agent/result.ts'
import {
  IMAGE_TOKENS_ESTIMATE,
  STEP_IMAGES_MAX_CHARS,
  THREAD_IMAGES_MAX_CHARS,
  TOOL_IMAGES_MAX,
  TOOL_RESULT_MAX_CHARS,
} from '../../../src/agent/limits.ts'
import { TOOL_IMAGES_MAX_CHARS } from '../../../src/limits/tools.ts'
import { png } from '../../fakes/images.ts'

const NONE = { before: '', after: '' }

function text(words: string): TextBlock {
  return { type: 'text', text: words }
}

function bounded(content: unknown, rooms = imageLimits([], [])): ToolContent {
  return limitResult(content, NONE, '', rooms)
}

describe('texts of a result', () => {
  it('lose our tags, even one split over two blocks', () => {
    const parts = [text('a <skill_content> b'), png(), text('<skill'), text('name="x">')]
    const shown = [text('a &lt;skill_content> b'), png(), text('&lt;skill\nname="x">')]
    expect(bounded(parts)).toEqual(shown)
  })

  it('are cut together at one limit, and the images after them stay', () => {
    const long = 'x'.repeat(TOOL_RESULT_MAX_CHARS - 2)
    const shown = bounded([text(long), png(), text('abcdef'), png(), text('more')])
    const note = `\n[cut: ${long.length + 10} characters in all]`
    expect(shown).toEqual([text(long), png(), text('a…'), png(), text(note)])
  })

  it('are framed by our own text, which is unchanged', () => {
    const frame = { before: '<skill_content>\n', after: '\n</skill_content>' }
    expect(limitResult('a <skill>', frame, '\n\n[More.]', [])).toBe(
      '<skill_content>\na &lt;skill>\n</skill_content>\n\n[More.]',
    )
    expect(limitResult([text('a')], frame, '', [])).toEqual([
      text('<skill_content>\n'),
      text('a'),
      text('\n</skill_content>'),
    ])
  })

  it('that are blank are omitted from a list, because the API refuses them', () => {
    expect(bounded([text(' \n'), png()])).toEqual([png()])
  })
})

describe('an image', () => {
  const words = (content: ToolContent): string => toDisplayText(bounded(content))

  it.each<[string, ImageBlock['source'], RegExp]>([
    [
      'of another type',
      { type: 'base64', media_type: 'image/svg+xml', data: 'PHN2Zz4=' },
      /\(image\/svg\+xml, 6 bytes\) was left out: only PNG/,
    ],
    [
      'that is invalid',
      { type: 'base64', media_type: 'image/png', data: 'PHN2Zz4=' },
      /its data is not a complete image\/png in base64/,
    ],
    [
      'without valid base64',
      { ...png().source, data: 'iVBORw0KGgo*' },
      /its data is not a complete image\/png in base64/,
    ],
    [
      'with our tags as its type',
      { ...png().source, media_type: '<skill_content>' },
      /\(&lt;skill_content>, 45 bytes\)/,
    ],
  ])('%s becomes a description', (_, source, reported) => {
    expect(words([text('See:'), { type: 'image', source }])).toMatch(reported)
  })

  it('becomes a description if the model accepts no images', () => {
    expect(toDisplayText(bounded([png(TOOL_IMAGES_MAX_CHARS + 4)], noImageSpace('it is blind')))).toContain(
      'it is blind',
    )
    expect(bounded([text('See:'), png()], noImageSpace('this model does not accept images'))).toEqual([
      text('See:\n[An image (image/png, 45 bytes) was left out: this model does not accept images.]'),
    ])
  })

  it('beyond the limit of a result becomes a description, and a smaller one after it is shown', () => {
    const half = png(TOOL_IMAGES_MAX_CHARS / 2)
    const shown = bounded([half, half, png(), text('end')])
    expect(shown).toEqual([
      half,
      half,
      text(expect.stringMatching(/was left out: one result may contain .*\nend/) as string),
    ])
    expect(bounded([half, png(TOOL_IMAGES_MAX_CHARS), png()]).at(-1)).toEqual(png())
    const many = bounded(Array.from({ length: TOOL_IMAGES_MAX + 3 }, () => png()))
    expect(many).toHaveLength(TOOL_IMAGES_MAX + 1)
  })

  it('beyond the limit of its step or thread becomes a description', () => {
    const [small, large] = [png(), png(TOOL_IMAGES_MAX_CHARS)]
    const shows = (step: readonly ImageBlock[], request: readonly ImageBlock[], one = large): string =>
      toDisplayText(bounded([one], imageLimits(step, request)))
    const times = (count: number, one: ImageBlock): readonly ImageBlock[] =>
      Array.from({ length: count }, () => one)
    const most = Math.floor(STEP_IMAGES_MAX_CHARS / TOOL_IMAGES_MAX_CHARS)
    expect(shows(times(most - 1, large), [])).toMatch(/^\[image/)
    expect(shows(times(most, large), [])).toMatch(/left out: the results of one step may contain/)
    const full = Math.floor(THREAD_IMAGES_MAX_CHARS / TOOL_IMAGES_MAX_CHARS)
    expect(shows([], times(full - 1, large))).toMatch(/^\[image/)
    expect(shows([large], times(full - 1, large))).toMatch(/left out: one thread may contain/)
    expect(shows([small], times(TOOL_IMAGES_MAX - 2, small), small)).toMatch(/^\[image/)
    expect(shows([small], times(TOOL_IMAGES_MAX - 1, small), small)).toMatch(
      /left out: one thread may contain/,
    )
  })

  it('is stored with its essential fields only', () => {
    const more = { ...png(), cache_control: { type: 'ephemeral' }, text: 'x' }
    expect(bounded([{ ...more, source: { ...more.source, note: 1 } }])).toEqual([png()])
  })

  it('is named where a person reads the result, and counted separately in token estimates', () => {
    expect(toDisplayText([text('See:'), png()])).toBe('See:\n[image/png, 45 bytes]')
    const requested = (image: ImageBlock): number =>
      estimateUnmeasuredTokens([{ role: 'user', content: [image] }])
    expect(requested(png(1_000_000))).toBe(requested(png()))
    expect(requested(png())).toBeGreaterThan(IMAGE_TOKENS_ESTIMATE)
  })
  it('is recognized only in place of a block: the input of a call is text', () => {
    const call = (prompt: string): number =>
      estimateUnmeasuredTokens([
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', input: { type: 'image', prompt } }] },
      ])
    expect(call('x'.repeat(40_000)) - call('')).toBeGreaterThan(5_000)
    const result = { type: 'tool_result', tool_use_id: 't', content: [png(1_000_000)] }
    expect(estimateUnmeasuredTokens([{ role: 'user', content: [result] }])).toBeLessThan(
      IMAGE_TOKENS_ESTIMATE + 100,
    )
  })
})

describe('an invalid result', () => {
  it.each<[string, unknown, string]>([
    ['an image by URL', { type: 'image', source: { type: 'url', url: 'https://a.example' } }, 'image'],
    ['an image without a source', { type: 'image' }, 'image'],
    ['a resource', { type: 'resource', resource: { uri: 'file:///a' } }, 'resource'],
    ['a text block without text', { type: 'text', text: undefined }, 'text'],
    ['a type with our tags', { type: '<skill>' }, '&lt;skill>'],
    ['nothing', null, 'unknown'],
    ['a list', [], 'unknown'],
  ])('%s becomes text', (_, block, type) => {
    const shown = [text(`a\n[a block of type ${type} was left out]\nb`)]
    expect(bounded([text('a'), block, text('b')])).toEqual(shown)
  })

  it.each([[undefined], [{ type: 'resource' }], [7]])('%s instead of a list becomes text', (content) => {
    expect(toDisplayText(bounded(content))).toMatch(/^\[a block of type \w+ was left out\]$/)
  })

  it('without output says so', () => {
    expect(bounded([])).toEqual([text('[no output]')])
    expect(bounded([text(' \n')])).toEqual([text('[no output]')])
    expect(bounded('')).toBe('[no output]')
  })
})
