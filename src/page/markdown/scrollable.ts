// Makes a box focusable by keyboard only while its content overflows: users without a mouse must be able to scroll it, and others
// should not have to tab through it.

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

/** One observer for all boxes: it reports after layout, in one batch, so that nothing is measured twice. */
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
