// Makes a box focusable by keyboard only while its content overflows: keyboard users must be able to scroll it then, and should
// not have to tab through it otherwise.

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export function useScrollable<T extends HTMLElement>(): RefObject<T | null> {
  const box = useRef<T>(null)
  useLayoutEffect(() => {
    const { current: element } = box
    if (!element) return
    return observe(element)
  }, [])
  return box
}

let observer: ResizeObserver | null = null
const boxOf = new WeakMap<Element, HTMLElement>()

/** Uses one observer for all boxes: it reports once after layout, in one batch, so that nothing is measured twice. */
function observe(box: HTMLElement): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) updateTabIndex(boxOf.get(target))
  })
  const elements = [box, ...box.children]
  for (const element of elements) {
    boxOf.set(element, box)
    observer.observe(element)
  }
  return () => {
    for (const element of elements) observer?.unobserve(element)
  }
}

function updateTabIndex(box: HTMLElement | undefined): void {
  if (!box) return
  const canScroll = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
  if (canScroll === box.hasAttribute('tabindex')) return
  if (canScroll) box.setAttribute('tabindex', '0')
  else box.removeAttribute('tabindex')
}
