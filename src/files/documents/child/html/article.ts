// Finds the article of a page, with what it says of itself. Changes the tree that it is given.

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
  /** Null: no article, or one that is too little of what the page shows. */
  readonly root: DomElement | null
}

const NOTHING: About = { title: '', byline: '', site: '', date: '' }

/** `visible`: characters that the page shows. Never throws. */
export function articleOf(document: DomDocument, visible: number, ends: number): Article {
  try {
    const found = withinSteps(HTML_ARTICLE_STEPS_MAX, ends, () =>
      new Readability<unknown>(document as never, {
        // The name of a code's language is a class.
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
    // A serializer that gives the node makes it the content.
    const root = (found.content ?? null) as DomElement | null
    const chars = (found.textContent ?? '').replace(/\s+/g, ' ').trim().length
    const enough = chars >= HTML_ARTICLE_CHARS_MIN && chars >= visible * HTML_ARTICLE_SHARE_MIN
    return { about, root: enough ? root : null }
  } catch (error) {
    // Whatever a page made of it: its body can still be shown.
    if (!(error instanceof OutOfTime || error instanceof Error)) throw error
    return { about: NOTHING, root: null }
  }
}

function line(text: string | null | undefined, chars: number): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, chars).toWellFormed()
}
