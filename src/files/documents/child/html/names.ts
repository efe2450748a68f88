// Names of elements and attributes, grouped by how they are treated.

/** Elements that are left out together with their content. */
export const DROPPED_ELEMENTS: ReadonlySet<string> = new Set(
  'script style template svg canvas iframe frame frameset noframes noembed object embed applet audio video map annotation annotation-xml datalist progress meter'.split(
    ' ',
  ),
)
/** Navigation and form controls, which are also left out if the entire body is shown. */
export const NAVIGATION_ELEMENTS: ReadonlySet<string> = new Set(
  'nav footer button select option input textarea menu'.split(' '),
)
/** The elements of the page itself, which every tree already contains. */
export const PAGE_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'body'])
/** Elements of the head. */
export const HEAD_ELEMENTS: ReadonlySet<string> = new Set(['title', 'meta', 'base', 'link'])
/** Elements that never have content. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** Elements in which white space is significant. */
export const PREFORMATTED_ELEMENTS: ReadonlySet<string> = new Set([
  'pre',
  'textarea',
  'listing',
  'xmp',
  'plaintext',
])

/** Attributes that are kept, because the libraries or this code read them. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  'id class role href src alt title rel itemprop itemtype itemscope property name content datetime colspan rowspan start type lang dir summary data-language data-lang width height aria-modal aria-label alttext'.split(
    ' ',
  ),
)
/** Attributes that are read while parsing but not kept. */
export const PARSED_ONLY_ATTRIBUTES: ReadonlySet<string> = new Set(
  'style hidden aria-hidden open srcset data-src data-srcset data-original data-lazy-src'.split(' '),
)

/** Elements that are part of a line of text. All others start a new line. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math mi mn mo mrow ms msub msup mtext q rb rp rt ruby s samp semantics small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
/** Blocks that are converted in one piece. The children of all other blocks are converted separately. */
export const SINGLE_PIECE_BLOCKS: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 pre blockquote hr figcaption caption address summary dt dd'.split(' '),
)
