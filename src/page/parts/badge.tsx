// A short label next to an item.

import type { ComponentChildren } from 'preact'

export interface BadgeProps {
  readonly children: ComponentChildren
  /** The colour. It only supports the text, which carries the meaning. */
  readonly kind?: 'good' | 'bad' | 'warn' | 'info'
  /** A longer text for the tooltip. */
  readonly title?: string
}

export function Badge({ children, kind, title }: BadgeProps) {
  return (
    <span class={['badge', kind].filter(Boolean).join(' ')} title={title}>
      {children}
    </span>
  )
}
