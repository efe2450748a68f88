// Where the conversation stands on the screen: a sent question goes to the top and its answer is read from its beginning; the
// end is followed only by whoever asked for that; and nothing else moves anybody. Draws nothing.

import { AT_END_PX, FAR_PX, TOP_GAP_PX } from './limits.ts'

export interface ScrollParts {
  /** What scrolls. */
  readonly box: HTMLElement
  /** All of the conversation, in the box. */
  readonly content: HTMLElement
  /** Below the content: the room that lets a short answer stand at the top. */
  readonly spacer: HTMLElement
  /** Whether there is more below than is shown. Told when it changes. */
  readonly onFar: (far: boolean) => void
}

export interface Scroll {
  /** Goes to the end, and stays there as it moves. */
  toEnd(): void
  /** Puts a turn that was just sent near the top. */
  begin(turn: HTMLElement): void
  /** Another conversation: its end is shown, without room below. */
  open(): void
  /** To be called before something is put above what is read; and what it answers, when it stands there. */
  hold(): () => void
  /** Lets go of everything. */
  end(): void
}

export function keepPosition({ box, content, spacer, onFar }: ScrollParts): Scroll {
  let follows = true
  let far = false
  /** Last place that was set here: an event that tells of it is none of the reader's. */
  let own = -1
  let lastTop = box.scrollTop
  let lastHeight = box.scrollHeight
  let lastView = box.clientHeight
  let room = 0
  let turn: HTMLElement | null = null
  let frame = 0
  /** What has the focus by keys, until the reader moves: parts that are laid out late must not push it away. */
  let held: Element | null = null

  const topOf = (element: Element): number =>
    element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
  /** px between what is shown and the end of what was said. */
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
  /** What the turn leaves free of the view. */
  function freeRoom(): number {
    if (!turn?.isConnected) return 0
    const end = topOf(content) + content.offsetHeight
    return Math.max(0, Math.floor(box.clientHeight - TOP_GAP_PX - (end - topOf(turn))))
  }
  function settle(): void {
    frame = 0
    const view = box.clientHeight
    // It shrinks as the answer grows, so that the whole keeps its height; it grows only with the view.
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
      // The browser moves a place by itself where the height changes; only where it stays it was the reader.
      if (top < lastTop && height === lastHeight) follows = false
      else if (top > lastTop && room === 0 && below() <= AT_END_PX) follows = true
    }
    lastTop = top
    lastHeight = height
    look()
  }
  /** Said before the place changes: a write of ours might come between. */
  function meansUp(event: Event): void {
    if (!(event instanceof KeyboardEvent) || !['Tab', 'Enter', ' ', 'Shift'].includes(event.key)) held = null
    if (event instanceof WheelEvent && event.deltaY >= 0) return
    if (event instanceof KeyboardEvent && !['PageUp', 'Home', 'ArrowUp'].includes(event.key)) return
    follows = false
  }
  /** Whoever goes through it by keys reads where the focus is; the browser has brought that into view. */
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
      // Some browsers keep the place themselves, and not all: none of them shall, for this once.
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
