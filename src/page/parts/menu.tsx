// A button that opens a menu. Arrow keys move the focus; typing a letter moves it to the next item that starts with that letter.

import type { ComponentChildren } from 'preact'

import { Icon, type IconName } from './icon.tsx'
import { Popover } from './popover.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly onPress: () => void
  readonly isDangerous?: boolean
  /** Makes the item a radio item; true if it is the selected one. */
  readonly isSelected?: boolean
  /** The label above this item and its neighbours of the same group. */
  readonly group?: string
  /** A keyboard key shown at the end of the item. */
  readonly keyHint?: string
  /** Draws a separator above the item. */
  readonly hasSeparator?: boolean
}

export interface MenuProps {
  readonly label: string
  readonly icon?: IconName
  readonly text?: ComponentChildren
  readonly class?: string
  readonly items: readonly MenuItem[]
}

export function Menu({ label, icon = 'more', text, class: className, items }: MenuProps) {
  return (
    <Popover
      label={label}
      icon={icon}
      text={text}
      kind="plain"
      role="menu"
      {...(className ? { class: className } : {})}
    >
      {(close) => (
        <div role="none" onKeyDown={moveFocus}>
          {groupsOf(items).map(({ label: groupLabel, members }) =>
            groupLabel === undefined ? (
              members.map((item) => renderItem(item, close))
            ) : (
              <div key={groupLabel} role="group" aria-label={groupLabel}>
                <div class="menu-label" aria-hidden="true">
                  {groupLabel}
                </div>
                {members.map((item) => renderItem(item, close))}
              </div>
            ),
          )}
        </div>
      )}
    </Popover>
  )

  function renderItem(item: MenuItem, close: () => void) {
    return (
      <button
        key={item.label}
        type="button"
        role={item.isSelected === undefined ? 'menuitem' : 'menuitemradio'}
        aria-checked={item.isSelected}
        class={['item', item.isDangerous && 'danger', item.hasSeparator && 'apart'].filter(Boolean).join(' ')}
        // Only the first item is in the Tab order; arrow keys reach the others.
        tabIndex={item === items[0] ? 0 : -1}
        onClick={() => {
          close()
          item.onPress()
        }}
      >
        {item.icon && <Icon name={item.icon} />}
        <span>{item.label}</span>
        {item.keyHint && <kbd>{item.keyHint}</kbd>}
        {item.isSelected && <Icon name="check" />}
      </button>
    )
  }
}

/** Neighbours of the same group together; the others without a label. */
function groupsOf(
  items: readonly MenuItem[],
): readonly { readonly label: string | undefined; readonly members: readonly MenuItem[] }[] {
  const groups: { readonly label: string | undefined; readonly members: MenuItem[] }[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && last.label === item.group) last.members.push(item)
    else groups.push({ label: item.group, members: [item] })
  }
  return groups
}

function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const currentIndex = items.findIndex((item) => item === document.activeElement)
  const nextIndex = targetIndex(event, items, currentIndex)
  if (nextIndex === null) return
  event.preventDefault()
  items[(nextIndex + items.length) % items.length]?.focus()
}

function targetIndex(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  currentIndex: number,
): number | null {
  if (event.key === 'ArrowDown') return currentIndex + 1
  if (event.key === 'ArrowUp') return currentIndex < 0 ? -1 : currentIndex - 1
  if (event.key === 'Home') return 0
  if (event.key === 'End') return -1
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return null
  const startsWithKey = (item: HTMLElement): boolean =>
    item.innerText.trim().toLowerCase().startsWith(event.key.toLowerCase())
  const nextMatch = items.findIndex((item, index) => index > currentIndex && startsWithKey(item))
  const match = nextMatch < 0 ? items.findIndex(startsWithKey) : nextMatch
  return match < 0 ? null : match
}
