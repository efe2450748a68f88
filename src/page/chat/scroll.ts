// Scrolls the conversation. A sent question moves to the top, so that its answer can be read from the beginning. The view follows
// the end only if the reader asks for it.

import { AT_END_MAX_PX, END_BUTTON_PX, END_HIDDEN_PX, QUESTION_TOP_GAP_PX } from './limits.ts'

export interface ScrollParts {
  /** The scroll container. */
  readonly box: HTMLElement
  /** The whole conversation, inside the container. */
  readonly content: HTMLElement
  /** An empty element below the content. Its height lets a short answer start at the top. */
  readonly spacer: HTMLElement
  /** Called when the beginning or the end scrolls out of view or back into it. */
  readonly onHidden: (isBeginningHidden: boolean, isEndHidden: boolean) => void
}

export interface Scroll {
  /** Scrolls to the end and follows it as the content grows. */
  followEnd(): void
  /** Scrolls a turn near the top, or to a distance in px from it. */
  showAtTop(turn: HTMLElement, distance?: number): void
  /** Shows the end of another conversation, without the space below. */
  startAtEnd(): void
  /** Call this before inserting content above the viewport and the returned function afterwards. The visible text does not move. */
  keepPosition(): () => void
  /** Removes all listeners and observers. */
  dispose(): void
}

export function createScroll({ box, content, spacer, onHidden }: ScrollParts): Scroll {
  let followsEnd = true
  let isBeginningHidden = false
  let isEndHidden = false
  /** The last offset set by this code. A scroll event with this offset does not come from the reader. */
  let lastSetTop = -1
  let lastTop = box.scrollTop
  let lastHeight = box.scrollHeight
  let lastViewHeight = box.clientHeight
  let spacerHeight = 0
  let topTurn: HTMLElement | null = null
  /** The distance in px at which `topTurn` was placed. */
  let topDistance = QUESTION_TOP_GAP_PX
  let frameRequest = 0
  /** The turn that stays at this distance in px, until the reader does something: turns above it get their real heights later. */
  let held: { readonly turn: HTMLElement; readonly distance: number } | null = null
  /** The element focused by keyboard, until the reader scrolls. A later layout change must not push it out of view. */
  let focusedElement: Element | null = null

  const topOf = (element: Element): number =>
    element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
  /** The distance in px between the viewport and the end of the content. */
  const distanceToEnd = (): number => box.scrollHeight - spacerHeight - box.scrollTop - box.clientHeight

  function scrollTo(top: number): void {
    if (Math.abs(box.scrollTop - top) < 1) return
    box.scrollTop = top
    lastSetTop = box.scrollTop
    lastTop = lastSetTop
  }
  function setSpacerHeight(px: number): void {
    if (px === spacerHeight) return
    spacerHeight = px
    spacer.style.height = `${px}px`
  }
  /** The height in px of the part of the viewport that the turn leaves empty. */
  function emptyHeight(): number {
    if (!topTurn?.isConnected) return 0
    const end = topOf(content) + content.offsetHeight
    return Math.max(0, Math.floor(box.clientHeight - topDistance - (end - topOf(topTurn))))
  }
  /** Not all browsers keep the visible text in place themselves. */
  function keepHeld(): void {
    if (held?.turn.isConnected && !followsEnd) scrollTo(topOf(held.turn) - held.distance)
  }
  function release(): void {
    held = null
  }
  function updateLayout(): void {
    frameRequest = 0
    const viewHeight = box.clientHeight
    // The spacer shrinks as the answer grows, so that the total height stays the same. It grows only with the viewport.
    setSpacerHeight(viewHeight === lastViewHeight ? Math.min(spacerHeight, emptyHeight()) : emptyHeight())
    lastViewHeight = viewHeight
    if (followsEnd) scrollTo(box.scrollHeight - viewHeight)
    else if (focusedElement && focusedElement === document.activeElement) {
      focusedElement.scrollIntoView({ block: 'nearest' })
      lastSetTop = box.scrollTop
    }
    lastHeight = box.scrollHeight
    reportHidden()
  }
  function scheduleUpdate(): void {
    if (frameRequest === 0) frameRequest = requestAnimationFrame(updateLayout)
  }
  /** Whether the buttons of a card are where the button that scrolls to the end would cover them. */
  function hasButtonsAtEnd(): boolean {
    const { bottom } = box.getBoundingClientRect()
    return [...content.querySelectorAll('.ways')].some((ways) => {
      const rect = ways.getBoundingClientRect()
      return rect.top < bottom && rect.bottom > bottom - END_BUTTON_PX
    })
  }
  function reportHidden(): void {
    const isBeginningHiddenNow = box.scrollTop > 0
    const isEndHiddenNow = distanceToEnd() > END_HIDDEN_PX && !hasButtonsAtEnd()
    if (isBeginningHiddenNow === isBeginningHidden && isEndHiddenNow === isEndHidden) return
    isBeginningHidden = isBeginningHiddenNow
    isEndHidden = isEndHiddenNow
    onHidden(isBeginningHidden, isEndHidden)
  }

  function onScroll(): void {
    const { scrollTop: top, scrollHeight: height } = box
    if (Math.abs(top - lastSetTop) >= 1) {
      if (held && Math.abs(topOf(held.turn) - top - held.distance) >= 1) release()
      // The browser itself changes the offset when the height changes, so only a change at a constant height is the reader's.
      if (top < lastTop && height === lastHeight) followsEnd = false
      else if (top > lastTop && spacerHeight === 0 && distanceToEnd() <= AT_END_MAX_PX) followsEnd = true
    }
    lastTop = top
    lastHeight = height
    reportHidden()
  }
  /** Detects that the reader wants to scroll up. The scroll event alone may come too late, after the next automatic scroll. */
  function onScrollIntent(event: Event): void {
    release()
    if (!(event instanceof KeyboardEvent) || !['Tab', 'Enter', ' ', 'Shift'].includes(event.key))
      focusedElement = null
    if (event instanceof WheelEvent && event.deltaY >= 0) return
    if (event instanceof KeyboardEvent && !['PageUp', 'Home', 'ArrowUp'].includes(event.key)) return
    followsEnd = false
  }
  /** During keyboard navigation the reader looks at the focused element, which the browser has scrolled into view. */
  function onFocusIn({ target }: FocusEvent): void {
    if (target === box || !(target instanceof Element) || !target.matches(':focus-visible')) return
    followsEnd = false
    focusedElement = target
    release()
  }

  // After layout and before the frame is drawn, so that text and scroll offset change in the same frame.
  const observer = new ResizeObserver(() => {
    keepHeld()
    updateLayout()
  })
  observer.observe(content)
  observer.observe(box)
  const passive = { passive: true }
  box.addEventListener('scroll', onScroll, passive)
  box.addEventListener('wheel', onScrollIntent, passive)
  box.addEventListener('touchmove', onScrollIntent, passive)
  box.addEventListener('keydown', onScrollIntent)
  box.addEventListener('pointerdown', release, passive)
  box.addEventListener('focusin', onFocusIn)

  return {
    followEnd() {
      followsEnd = true
      release()
      topTurn = null
      setSpacerHeight(0)
      scrollTo(box.scrollHeight - box.clientHeight)
      reportHidden()
    },
    showAtTop(turn, distance = QUESTION_TOP_GAP_PX) {
      followsEnd = false
      topTurn = turn
      topDistance = distance
      held = { turn, distance }
      setSpacerHeight(emptyHeight())
      scrollTo(topOf(turn) - distance)
      lastHeight = box.scrollHeight
      reportHidden()
    },
    startAtEnd() {
      followsEnd = true
      release()
      topTurn = null
      setSpacerHeight(0)
      scheduleUpdate()
    },
    keepPosition() {
      followsEnd = false
      // Some browsers anchor the scroll offset themselves. Turn this off, so that all browsers behave the same.
      box.style.overflowAnchor = 'none'
      const firstTurn = content.querySelector<HTMLElement>('[data-turn]')
      const distance = firstTurn ? topOf(firstTurn) - box.scrollTop : 0
      return () => {
        held = firstTurn && { turn: firstTurn, distance }
        keepHeld()
        lastHeight = box.scrollHeight
        requestAnimationFrame(() => {
          box.style.overflowAnchor = ''
        })
      }
    },
    dispose() {
      cancelAnimationFrame(frameRequest)
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
      box.removeEventListener('wheel', onScrollIntent)
      box.removeEventListener('touchmove', onScrollIntent)
      box.removeEventListener('keydown', onScrollIntent)
      box.removeEventListener('pointerdown', release)
      box.removeEventListener('focusin', onFocusIn)
    },
  }
}
