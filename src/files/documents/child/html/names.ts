// Names of elements and attributes, by what is done with them.

/** Left out with all that is in them. */
export const SILENT: ReadonlySet<string> = new Set(
  'script style template svg canvas iframe frame frameset noframes noembed object embed applet audio video map annotation annotation-xml datalist progress meter'.split(
    ' ',
  ),
)
/** Left out too where the whole body is shown: ways around the site, and what is there to be filled in. */
export const FURNITURE: ReadonlySet<string> = new Set(
  'nav footer button select option input textarea menu'.split(' '),
)
/** The page itself: all pages get the same frame of them. */
export const FRAME: ReadonlySet<string> = new Set(['html', 'head', 'body'])
/** What stands in the head. */
export const HEAD: ReadonlySet<string> = new Set(['title', 'meta', 'base', 'link'])
/** They never hold anything. */
export const EMPTY: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** Where each blank counts. */
export const KEEPS_BLANKS: ReadonlySet<string> = new Set(['pre', 'textarea', 'listing', 'xmp', 'plaintext'])

/** Kept of what an element says of itself: all that the libraries and we ask for. */
export const KEPT: ReadonlySet<string> = new Set(
  'id class role href src alt title rel itemprop itemtype itemscope property name content datetime colspan rowspan start type lang dir summary data-language data-lang width height aria-modal aria-label alttext'.split(
    ' ',
  ),
)
/** Looked at, and not kept. */
export const LOOKED_AT: ReadonlySet<string> = new Set(
  'style hidden aria-hidden open srcset data-src data-srcset data-original data-lazy-src'.split(' '),
)

/** Elements that stand in a line of text; all others begin one of their own. */
export const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math mi mn mo mrow ms msub msup mtext q rb rp rt ruby s samp semantics small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
/** Blocks that are told as one; all other blocks are looked into. */
export const TOLD: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 pre blockquote hr figcaption caption address summary dt dd'.split(' '),
)
