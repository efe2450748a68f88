// A table in a box that scrolls if the table is wider than the column.

import type { ComponentChildren } from 'preact'

import { useScrollable } from './scrollable.ts'

export function TableBox({ children }: { readonly children: ComponentChildren }) {
  const box = useScrollable<HTMLDivElement>()
  return (
    <div ref={box} class="table">
      <table>{children}</table>
    </div>
  )
}
