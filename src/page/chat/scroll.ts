// Scrolling of the conversation. A sent question moves to the top, so its answer is read from the beginning. The view follows the
// end only when the reader asks for it. Draws nothing.

import { AT_END_PX, FAR_PX, TOP_GAP_PX } from './limits.ts'

export interface ScrollParts {
  /** The scroll container. */
  readonly box: HTMLElement
  /** The whole conversation, inside the container. */
  readonly content: HTMLElement
  /** Below the content: the space that lets a short answer start at the top. */
  readonly spacer: HTMLElement
  /** Called when the end scrolls out of view or back into it. */
  readonly onFar: (far: boolean) => void
}

export interface Scroll {
  /** Scrolls to the end and follows it as the content grows. */
  toEnd(): void
  /** Scrolls a turn that was just sent near the top. */
  begin(turn: HTMLElement): void
  /** Shows the end of another conversation, without the space below. */
  open(): void
  /** Call it before content is inserted above the viewport, and the returned function afterwards: what is read stays in place. */
  hold(): () => void
  /** Removes all listeners and observers. */
  end(): void
}

export function keepPosition({ box, content, spacer, onFar }: ScrollParts): Scroll {
  let follows = true
  let far = false
  /** The last offset set here. A scroll event with this offset does not come from the reader. */
  let own = -1
  let lastTop = box.scrollTop
  let lastHeight = box.scrollHeight
  let lastView = box.clientHeight
  let room = 0
  let turn: HTMLElement | null = null
  let frame = 0
  /** The element focused by keyboard, until the reader scrolls: late layout must not push it out of view. */
  let held: Element | null = null

  const topOf = (element: Element): number =>
    element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
  /** px between the viewport and the end of the content. */
  const below = (): number => box.scrollHeight - room - box.scrollTop - box.clientHeight

  function move(top: number): void {
    if (Math.abs(box.scrollTop - top) < 1) return
    box.scrollTop = top
    own = box.scrollTop
    lastTop = own
  }
  function setRoom(px: number): void {
    if (px === room) return
    room = px
    spacer.style.height = `${px}px`
  }
  /** The part of the viewport that the turn leaves empty. */
  function freeRoom(): number {
    if (!turn?.isConnected) return 0
    const end = topOf(content) + content.offsetHeight
    return Math.max(0, Math.floor(box.clientHeight - TOP_GAP_PX - (end - topOf(turn))))
  }
  function settle(): void {
    frame = 0
    const view = box.clientHeight
    // Shrinks as the answer grows, so that the total height stays the same. Grows only with the viewport.
    setRoom(view === lastView ? Math.min(room, freeRoom()) : freeRoom())
    lastView = view
    if (follows) move(box.scrollHeight - view)
    else if (held && held === document.activeElement) {
      held.scrollIntoView({ block: 'nearest' })
      own = box.scrollTop
    }
    lastHeight = box.scrollHeight
    look()
  }
  function soon(): void {
    if (frame === 0) frame = requestAnimationFrame(settle)
  }
  function look(): void {
    const now = below() > FAR_PX
    if (now === far) return
    far = now
    onFar(now)
  }

  function scrolled(): void {
    const { scrollTop: top, scrollHeight: height } = box
    if (Math.abs(top - own) >= 1) {
      // The browser changes the offset itself when the height changes. Only at a constant height did the reader scroll.
      if (top < lastTop && height === lastHeight) follows = false
      else if (top > lastTop && room === 0 && below() <= AT_END_PX) follows = true
    }
    lastTop = top
    lastHeight = height
    look()
  }
  /** Listens for the reader's intent, because our own scrolling may come before the scroll event. */
  function meansUp(event: Event): void {
    if (!(event instanceof KeyboardEvent) || !['Tab', 'Enter', ' ', 'Shift'].includes(event.key)) held = null
    if (event instanceof WheelEvent && event.deltaY >= 0) return
    if (event instanceof KeyboardEvent && !['PageUp', 'Home', 'ArrowUp'].includes(event.key)) return
    follows = false
  }
  /** With keyboard navigation the reader looks at the focused element, which the browser has scrolled into view. */
  function focused({ target }: FocusEvent): void {
    if (target === box || !(target instanceof Element) || !target.matches(':focus-visible')) return
    follows = false
    held = target
  }

  const observer = new ResizeObserver(soon)
  observer.observe(content)
  observer.observe(box)
  const passive = { passive: true }
  box.addEventListener('scroll', scrolled, passive)
  box.addEventListener('wheel', meansUp, passive)
  box.addEventListener('touchmove', meansUp, passive)
  box.addEventListener('keydown', meansUp)
  box.addEventListener('focusin', focused)

  return {
    toEnd() {
      follows = true
      turn = null
      setRoom(0)
      move(box.scrollHeight - box.clientHeight)
      look()
    },
    begin(sent) {
      follows = false
      turn = sent
      setRoom(freeRoom())
      move(topOf(sent) - TOP_GAP_PX)
      lastHeight = box.scrollHeight
      look()
    },
    open() {
      follows = true
      turn = null
      setRoom(0)
      soon()
    },
    hold() {
      follows = false
      // Some browsers anchor the scroll offset themselves. Turned off here, so that all behave the same.
      box.style.overflowAnchor = 'none'
      const first = content.querySelector('[data-turn]')
      const before = first ? topOf(first) - box.scrollTop : 0
      return () => {
        if (first?.isConnected) move(topOf(first) - before)
        lastHeight = box.scrollHeight
        requestAnimationFrame(() => {
          box.style.overflowAnchor = ''
        })
      }
    },
    end() {
      cancelAnimationFrame(frame)
      observer.disconnect()
      box.removeEventListener('scroll', scrolled)
      box.removeEventListener('wheel', meansUp)
      box.removeEventListener('touchmove', meansUp)
      box.removeEventListener('keydown', meansUp)
      box.removeEventListener('focusin', focused)
    },
  }
}
