// A word that marks what it stands beside: the only round thing of the page.

import type { ComponentChildren } from 'preact'

export interface BadgeProps {
  readonly children: ComponentChildren
  /** The colour is never all that says it: the word does. */
  readonly kind?: 'good' | 'bad' | 'warn' | 'info'
  /** The longer form, for who rests the pointer on it. */
  readonly title?: string
}

export function Badge({ children, kind, title }: BadgeProps) {
  return (
    <span class={['badge', kind].filter(Boolean).join(' ')} title={title}>
      {children}
    </span>
  )
}
