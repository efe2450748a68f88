// Guards which links of a page count as visible: not those that the element's own attributes hide.

import { expect, it } from 'vitest'
import { visibilityOf } from '../../../src/files/documents/child/html/visible.ts'

function styled(style: string): string {
  return visibilityOf('p', new Map([['style', style]]))
}

it.each([
  'display:none',
  'color:red; DISPLAY : none !important',
  'dis/**/play:none',
  'visibility: hidden',
  'font-size:0',
  'font-size: 0.0px',
  'font:0/0 a',
  'position:absolute; left:-9999px',
  'text-indent:-5000px',
  'clip: rect(0 0 0 0)',
  'clip-path: inset(50%)',
  'transform: scale(0)',
])('treats links styled "%s" as hidden', (style) => {
  expect(styled(style)).toBe('hidden')
})

it.each([
  'opacity:0',
  'height:0; overflow:hidden',
  'color: transparent',
  `${'a'.repeat(5_000)};display:none`,
])('does not count links that fade in or are oddly styled (%#)', (style) => {
  expect(styled(style)).toBe('faint')
})

it.each([
  'font-size:101.6%',
  'font:10px/1.2 serif',
  'margin-left:-20px',
  'opacity:0.9',
  'max-height:200px',
  'display:block',
])('shows links styled "%s"', (style) => {
  expect(styled(style)).toBe('shown')
})

it('knows the attributes that hide', () => {
  expect(visibilityOf('p', new Map([['hidden', '']]))).toBe('hidden')
  expect(visibilityOf('p', new Map([['aria-hidden', 'TRUE']]))).toBe('hidden')
  expect(visibilityOf('dialog', new Map())).toBe('hidden')
  expect(visibilityOf('dialog', new Map([['open', '']]))).toBe('shown')
  expect(visibilityOf('noscript', new Map())).toBe('faint')
})
