// A virtual list of thousands of rows of equal height. Draws the visible rows and keeps its scroll offset.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'

export interface WindowListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Height of a row, in rem. */
  readonly rem: number
  readonly label: string
  /** Scroll offset in px. The caller keeps it, so that the list reopens at the same position. */
  readonly offset: Signal<number>
  readonly children: (item: T) => ComponentChildren
}

/** Rows beyond the edge, so that the next row can take the focus before it is visible. */
const BEYOND = 6

export function WindowList<T>({ items, keyOf, rem, label, offset, children }: WindowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const height = useSignal(0)
  const size = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  useLayoutEffect(() => {
    const shown = scroller.current
    if (!shown) return
    const watch = new ResizeObserver(() => (height.value = shown.clientHeight))
    watch.observe(shown)
    height.value = shown.clientHeight
    shown.scrollTop = offset.peek()
    return () => watch.disconnect()
  }, [])
  // A shorter list may end above the old offset.
  const top = Math.min(offset.value, Math.max(0, items.length * size - height.value))
  const first = Math.max(0, Math.floor(top / size) - BEYOND)
  const last = Math.min(items.length, Math.ceil((top + height.value) / size) + BEYOND)
  return (
    <div ref={scroller} class="window" onScroll={(event) => (offset.value = event.currentTarget.scrollTop)}>
      <ul aria-label={label} style={{ height: `${items.length * size}px` }}>
        {items.slice(first, last).map((item, at) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + at + 1}
            style={{ height: `${size}px`, transform: `translateY(${(first + at) * size}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}
