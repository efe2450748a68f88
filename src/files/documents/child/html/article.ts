// Finds the article of a web page, with its title, author and date. Modifies the page's tree.

import { HTML_ARTICLE_CHARS_MIN, HTML_ARTICLE_SHARE_MIN, HTML_ARTICLE_STEPS_MAX } from './limits.ts'
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

const NOTHING: About = { title: '', byline: '', site: '', date: '' }

/** Finds the article of a page with this number of visible characters. Never throws because of the page's content. */
export function articleOf(document: DomDocument, visible: number, ends: number): Article {
  try {
    const found = withinSteps(HTML_ARTICLE_STEPS_MAX, ends, () =>
      new Readability<unknown>(document as never, {
        // Classes are kept because they name the language of code.
        keepClasses: true,
        serializer: (node) => node,
      }).parse(),
    )
    if (!found) return { about: NOTHING, root: null }
    const about = {
      title: line(found.title, 300),
      byline: line(found.byline, 200),
      site: line(found.siteName, 100),
      date: line(found.publishedTime, 40),
    }
    // This serializer returns the node itself as the content.
    const root = (found.content ?? null) as DomElement | null
    const chars = (found.textContent ?? '').replace(/\s+/g, ' ').trim().length
    const enough = chars >= HTML_ARTICLE_CHARS_MIN && chars >= visible * HTML_ARTICLE_SHARE_MIN
    return { about, root: enough ? root : null }
  } catch (error) {
    // Whatever error the page caused, its body can still be shown.
    if (!(error instanceof OutOfTime || error instanceof Error)) throw error
    return { about: NOTHING, root: null }
  }
}

function line(text: string | null | undefined, chars: number): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, chars).toWellFormed()
}
