// A virtual list for thousands of rows of equal height. Renders only the visible rows.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'

export interface WindowListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Height of a row, in rem. */
  readonly rowRem: number
  readonly label: string
  /** The scroll offset in px. The caller owns it, so that the list reopens at the same position. */
  readonly offsetPx: Signal<number>
  readonly children: (item: T) => ComponentChildren
}

/** Number of rows rendered beyond each edge, so that the next row can take the focus before it is visible. */
const OVERSCAN_ROWS = 6

export function WindowList<T>({ items, keyOf, rowRem, label, offsetPx, children }: WindowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const height = useSignal(0)
  const rowPx = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => (height.value = element.clientHeight))
    observer.observe(element)
    height.value = element.clientHeight
    element.scrollTop = offsetPx.peek()
    return () => observer.disconnect()
  }, [])
  // If the list has become shorter, it may end above the old offset.
  const top = Math.min(offsetPx.value, Math.max(0, items.length * rowPx - height.value))
  const first = Math.max(0, Math.floor(top / rowPx) - OVERSCAN_ROWS)
  const last = Math.min(items.length, Math.ceil((top + height.value) / rowPx) + OVERSCAN_ROWS)
  return (
    <div ref={scroller} class="window" onScroll={(event) => (offsetPx.value = event.currentTarget.scrollTop)}>
      <ul aria-label={label} style={{ height: `${items.length * rowPx}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowPx}px`, transform: `translateY(${(first + index) * rowPx}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}
