// Converts TeX to allow-listed MathML elements, as plain data. The only file that imports the library. Whatever the
// input, the output never contains a link, an image or an address.

import temml from 'temml'

import { FORMULA_DEPTH_MAX, FORMULA_ELEMENTS_MAX, TEX_EXPANSIONS_MAX, TEX_SIZE_MAX_EM } from './limits.ts'

export interface Tex {
  readonly tex: string
  readonly isDisplayed: boolean
}

export interface MathElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly style: Readonly<Record<string, string>>
  readonly children: readonly (MathElement | string)[]
}

/** A node of the library's tree: an element, a text, or a fragment. */
interface LibraryNode {
  readonly type?: unknown
  readonly text?: unknown
  readonly children?: readonly LibraryNode[]
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly classes?: readonly string[]
  readonly style?: Readonly<Record<string, unknown>>
}

const TAGS = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts ' +
    'mprescripts mtable mtr mtd mpadded mphantom mstyle menclose'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  (
    'display mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric largeop movablelimits accent ' +
    'accentunder linethickness width height depth voffset scriptlevel displaystyle columnalign columnspan rowspan ' +
    'rowspacing columnspacing notation mathsize'
  ).split(' '),
)
/** Not colours: they would not suit both themes, and could hide text. */
const STYLES = new Set(
  (
    'border borderBottom borderLeft borderRight borderTop fontWeight mathDepth padding paddingBottom ' +
    'paddingLeft paddingRight paddingTop textAlign width'
  ).split(' '),
)
/** Values may contain neither functions nor addresses. */
const PLAIN_VALUE = /^[-+#.,%\w ]{0,60}$/

/** Returns null if the TeX is invalid or exceeds the limits of one formula. */
export function layOutTex({ tex, isDisplayed }: Tex): MathElement | null {
  // Unlike the library's other functions, this one creates neither markup nor DOM elements. It is internal, so the
  // shape of its tree may change, and every value is checked.
  const tree: LibraryNode = temml.__renderToMathMLTree(tex, {
    displayMode: isDisplayed,
    throwOnError: true,
    trust: false,
    strict: false,
    macros: {},
    maxExpand: TEX_EXPANSIONS_MAX,
    maxSize: [TEX_SIZE_MAX_EM, TEX_SIZE_MAX_EM * 16],
  })
  let remaining = FORMULA_ELEMENTS_MAX
  function childrenOf(node: LibraryNode, depth: number): (MathElement | string)[] {
    if (depth > FORMULA_DEPTH_MAX) throw new Error('too deep')
    return (node.children ?? []).flatMap((child) => convert(child, depth + 1))
  }
  function convert(node: LibraryNode, depth: number): (MathElement | string)[] {
    if ((remaining -= 1) < 0) throw new Error('too large')
    if (typeof node.text === 'string') return [node.text]
    const children = childrenOf(node, depth)
    // Replaces elements that are not allow-listed by their content.
    if (typeof node.type !== 'string' || !TAGS.has(node.type)) return children
    return [{ tag: node.type, attributes: attributesOf(node), style: styleOf(node), children }]
  }
  const [element] = convert(tree, 0)
  return element === undefined || typeof element === 'string' ? null : element
}

function attributesOf({ attributes = {}, classes = [] }: LibraryNode): Record<string, string> {
  const kept = entriesIn(attributes, ATTRIBUTES)
  // Keeps only the library's own class names, which have these prefixes. TeX can set arbitrary others.
  const names = classes.filter((name) => /^(?:tml|wbk|chr|ff)-[\w-]+$/.test(name))
  return { ...kept, ...(names.length > 0 ? { class: names.join(' ') } : {}) }
}

function styleOf({ style = {} }: LibraryNode): Record<string, string> {
  return entriesIn(style, STYLES)
}

function entriesIn(
  values: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = String(value)
      return names.has(name) && PLAIN_VALUE.test(text) ? [[name, text]] : []
    }),
  )
}
