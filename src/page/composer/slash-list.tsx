// Lists the skills that match the text after a slash. Arrow keys select a skill while the focus stays in the box.

import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { counted } from '../../lib/counted.ts'
import { LIST_GAP_PX } from './limits.ts'
import { skillSummary } from '../state/library/skill-text.ts'
import { matchCommands, type SlashOffer } from '../state/composer/slash.ts'

export const SLASH_LIST_ID = 'slash-list'
const NO_OFFER: SlashOffer = { head: '', matches: [] }

export interface Slash {
  readonly offer: ReadonlySignal<SlashOffer>
  readonly selectedIndex: ReadonlySignal<number>
  /** Call this when the text before the caret changes. */
  update(): void
  readonly close: () => void
  /** Inserts the skill at this index of the list. */
  choose(index: number): void
  /** Handles a key while the list is open; true if the key was used. Enter after a complete name is not used, so it sends. */
  handleKey(event: KeyboardEvent): boolean
}

export function useSlash(box: RefObject<HTMLTextAreaElement | null>): Slash {
  const { composer, announce, skills } = useApp()
  const offer = useSignal<SlashOffer>(NO_OFFER)
  const selectedIndex = useSignal(0)
  const isActive = useSignal(false)

  function update(): void {
    const textBeforeCaret = box.current?.value.slice(0, box.current.selectionStart) ?? ''
    isActive.value = textBeforeCaret.startsWith('/')
    if (isActive.value) void skills.ensureLoaded()
    const previousCount = offer.peek().matches.length
    offer.value = isActive.value ? matchCommands(textBeforeCaret, skills.commands.peek()) : NO_OFFER
    selectedIndex.value = 0
    const { length } = offer.peek().matches
    if (length > 0 && length !== previousCount)
      announce(`${counted(length, 'skill matches', 'skills match')}. Use ↑ and ↓ to choose, Enter to insert.`)
    else if (length === 0 && previousCount > 0) announce('')
  }

  function close(): void {
    isActive.value = false
    if (offer.peek().matches.length > 0) announce('')
    offer.value = NO_OFFER
  }

  function choose(index: number): void {
    const command = offer.peek().matches[index]
    const field = box.current
    if (!command || !field) return
    const insertedText = `${offer.peek().head}${command.name} `
    // Set on the DOM element immediately, so that the caret can be placed after it.
    field.value = insertedText + field.value.slice(field.selectionStart)
    field.setSelectionRange(insertedText.length, insertedText.length)
    composer.write(field.value)
    close()
    field.focus()
  }

  useSignalEffect(() => {
    // More skills may have loaded while the list is open. What the user has selected stays; otherwise it is the best match.
    if (skills.commands.value.length === 0 || !isActive.peek()) return
    const chosen = selectedIndex.peek() > 0 ? offer.peek().matches[selectedIndex.peek()] : undefined
    update()
    const index = offer.peek().matches.findIndex(({ name }) => name === chosen?.name)
    selectedIndex.value = Math.max(0, index)
  })

  return {
    offer,
    selectedIndex,
    update,
    close,
    choose,
    handleKey(event) {
      const { matches, head } = offer.peek()
      if (matches.length === 0 || event.isComposing) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) {
        selectedIndex.value = (selectedIndex.peek() + step + matches.length) % matches.length
        return true
      }
      if (event.key === 'Escape') {
        close()
        return true
      }
      const isComplete = box.current?.value === `${head}${matches[selectedIndex.peek()]?.name}`
      const isInsertion = event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isComplete)
      if (!isInsertion || event.ctrlKey || event.metaKey) return false
      choose(selectedIndex.peek())
      return true
    },
  }
}

export function SlashList({ slash }: { readonly slash: Slash }) {
  const { matches } = slash.offer.value
  const list = useRef<HTMLUListElement>(null)
  const selectedRow = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (list.current && matches.length > 0) fitList(list.current)
  }, [matches])
  useLayoutEffect(
    () => selectedRow.current?.scrollIntoView({ block: 'nearest' }),
    [slash.selectedIndex.value, matches],
  )
  return (
    <ul ref={list} id={SLASH_LIST_ID} role="listbox" aria-label="Skills" hidden={matches.length === 0}>
      {matches.map((command, index) => (
        <li
          key={command.name}
          id={optionId(index)}
          ref={index === slash.selectedIndex.value ? selectedRow : null}
          role="option"
          aria-selected={index === slash.selectedIndex.value}
          // Prevents the box from losing its focus.
          onMouseDown={(event) => {
            event.preventDefault()
            slash.choose(index)
          }}
        >
          <span>
            <strong>/{command.name}</strong>{' '}
            {command.argument_hint && <code dir="auto">{command.argument_hint}</code>}
          </span>
          <small dir="auto">{skillSummary(command)}</small>
        </li>
      ))}
    </ul>
  )
}

/**
 * Opens the list above or below the box, wherever there is more room. If not all rows fit, the last visible one is cut
 * off, to show that the list scrolls.
 */
function fitList(list: HTMLElement): void {
  const [room, box] = [list.closest('main'), list.parentElement].map((part) => part?.getBoundingClientRect())
  if (!room || !box) return
  const view = window.visualViewport
  // The keyboard of a touch screen may cover the end of the page.
  const roomEnd = Math.min(room.bottom, view ? view.offsetTop + view.height : room.bottom)
  const [above, below] = [box.top - Math.max(room.top, view?.offsetTop ?? 0), roomEnd - box.bottom]
  list.classList.toggle('below', below > above)
  list.style.maxHeight = ''
  const heightMax = Math.min(
    Number.parseFloat(getComputedStyle(list).maxHeight) || Infinity,
    Math.max(above, below) - 2 * LIST_GAP_PX,
  )
  const start = list.getBoundingClientRect().top - list.scrollTop
  const middles = [...list.children].map((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return (top + bottom) / 2 - start
  })
  if (list.scrollHeight > heightMax)
    list.style.maxHeight = `${middles.findLast((middle) => middle <= heightMax) ?? heightMax}px`
}

export function optionId(index: number): string {
  return `slash-${index}`
}
