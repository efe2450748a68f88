// A picture in Markdown whose address is not on the web. Those who show a text decide whether they have such a picture.

import { createContext, type ComponentChild, type VNode } from 'preact'
import { useContext } from 'preact/hooks'

/** Draws the picture at `source` with the alternative text `text`; null if there is none. */
type DrawPicture = (source: string, text: string) => VNode | null

export const MarkdownPictures = createContext<DrawPicture>(() => null)

export interface MarkdownPictureProps {
  readonly source: string
  readonly text: string
  /** Shown if there is no such picture. */
  readonly children: ComponentChild
}

export function MarkdownPicture({ source, text, children }: MarkdownPictureProps) {
  return useContext(MarkdownPictures)(source, text) ?? <>{children}</>
}
