// A short label next to an item.

import type { ComponentChildren } from 'preact'

export interface BadgeProps {
  readonly children: ComponentChildren
  /** The text carries the meaning; colour only supports it. */
  readonly kind?: 'good' | 'bad' | 'warn' | 'info'
  /** A longer form for the tooltip. */
  readonly title?: string
}

export function Badge({ children, kind, title }: BadgeProps) {
  return (
    <span class={['badge', kind].filter(Boolean).join(' ')} title={title}>
      {children}
    </span>
  )
}
