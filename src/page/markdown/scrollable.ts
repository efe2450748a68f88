// A box that can be reached by keyboard while it has more than it shows, and only then: a reader without a mouse must be able
// to scroll it, and nobody should stop at one that does not.

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export function useScrollable<T extends HTMLElement>(): RefObject<T | null> {
  const box = useRef<T>(null)
  useLayoutEffect(() => {
    const { current: element } = box
    if (!element) return
    return watch(element)
  }, [])
  return box
}

let observer: ResizeObserver | null = null
const boxOf = new WeakMap<Element, HTMLElement>()

/** One observer for all boxes: its answers come together, after layout, so that nothing is measured twice. */
function watch(box: HTMLElement): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) look(boxOf.get(target))
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

function look(box: HTMLElement | undefined): void {
  if (!box) return
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
  if (scrolls === box.hasAttribute('tabindex')) return
  if (scrolls) box.setAttribute('tabindex', '0')
  else box.removeAttribute('tabindex')
}
