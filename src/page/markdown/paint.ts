// Splits code into runs of text with one colour each. Pure; used in the Worker and in tests.

import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'

import type { Grammar } from './languages.ts'

/** The kind of a run. The style sheet defines a colour for each kind. */
type Colour = 'keyword' | 'string' | 'number' | 'function' | 'type' | 'comment' | 'added' | 'removed'
/** A run of text and its colour, or null for the default colour. Concatenated, the runs are the complete code. */
export type ColouredText = readonly [text: string, colour: Colour | null]

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
} satisfies Record<Exclude<Grammar, 'plaintext'>, unknown>)

/** Colours by the library's class name without its prefix. An unknown class inherits the colour around it. */
const COLOUR_BY_CLASS: Readonly<Record<string, Colour>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  tag: 'keyword',
  name: 'keyword',
  section: 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  code: 'string',
  link: 'string',
  title: 'function',
  attr: 'function',
  attribute: 'function',
  property: 'function',
  'selector-class': 'function',
  'selector-id': 'function',
  type: 'type',
  built_in: 'type',
  class: 'type',
  meta: 'type',
  'variable language_': 'keyword',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  addition: 'added',
  deletion: 'removed',
}

interface Node {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Node[]
}

export function highlightCode(code: string, grammar: Grammar): readonly ColouredText[] {
  const runs: [string, Colour | null][] = []
  const append = (text: string, colour: Colour | null): void => {
    const last = runs.at(-1)
    if (last && (last[1] === colour || text.trim() === '')) last[0] += text
    else runs.push([text, colour])
  }
  const walk = (nodes: readonly Node[], parentColour: Colour | null): void => {
    for (const node of nodes) {
      if (node.type === 'text') append(node.value ?? '', parentColour)
      else walk(node.children ?? [], colourOf(node.properties?.className) ?? parentColour)
    }
  }
  walk(lowlight.highlight(grammar, code).children, null)
  return runs
}

function colourOf(classes: unknown): Colour | null {
  if (!Array.isArray(classes)) return null
  const [first, ...others] = classes.map((name) => String(name).replace(/^hljs-/, ''))
  return COLOUR_BY_CLASS[[first, ...others].join(' ')] ?? COLOUR_BY_CLASS[first ?? ''] ?? null
}
