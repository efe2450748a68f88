// Finds the article of a web page, with its title, author and date. Modifies the page's tree.

import { HTML_ARTICLE_MIN_CHARS, HTML_ARTICLE_MIN_FRACTION, HTML_ARTICLE_STEPS_MAX } from './limits.ts'
import { OutOfTime } from '../common/pace.ts'
import type { DomDocument, DomElement } from './dom.ts'
import { Readability } from './libraries.ts'
import { withinSteps } from './steps.ts'

export interface About {
  readonly title: string
  readonly byline: string
  readonly site: string
  readonly date: string
}

export interface Article {
  readonly about: About
  /** The root of the article, or null if there is none or it is too small a part of the page. */
  readonly root: DomElement | null
}

const NO_FACTS: About = { title: '', byline: '', site: '', date: '' }

/** Finds the article of a page with this number of visible characters. Never throws because of the page's content. */
export function articleOf(document: DomDocument, visibleChars: number, deadline: number): Article {
  try {
    const parsed = withinSteps(HTML_ARTICLE_STEPS_MAX, deadline, () =>
      new Readability<unknown>(document as never, {
        // Classes are kept because they name the language of code.
        keepClasses: true,
        serializer: (node) => node,
      }).parse(),
    )
    if (!parsed) return { about: NO_FACTS, root: null }
    const about = {
      title: oneLine(parsed.title, 300),
      byline: oneLine(parsed.byline, 200),
      site: oneLine(parsed.siteName, 100),
      date: oneLine(parsed.publishedTime, 40),
    }
    // This serializer returns the node itself as the content.
    const root = (parsed.content ?? null) as DomElement | null
    const chars = (parsed.textContent ?? '').replace(/\s+/g, ' ').trim().length
    const isLargeEnough = chars >= HTML_ARTICLE_MIN_CHARS && chars >= visibleChars * HTML_ARTICLE_MIN_FRACTION
    return { about, root: isLargeEnough ? root : null }
  } catch (error) {
    // The body of the page can be shown instead, whatever error the page caused.
    if (!(error instanceof OutOfTime || error instanceof Error)) throw error
    return { about: NO_FACTS, root: null }
  }
}

function oneLine(text: string | null | undefined, chars: number): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, chars).toWellFormed()
}
