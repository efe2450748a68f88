// The list of the palette. The focus stays in the field; ↑ and ↓ select, Enter or a press chooses.

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

import { FailureNotice } from '../actions/failure-notice.tsx'
import { counted } from '../../lib/counted.ts'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'
import { SKILL_ADDRESS, threadRoute } from '../state/frame/route.ts'
import { onePerRoot } from '../state/threads/search.ts'
import { groupsFor, type PaletteEntry, type PaletteGroup } from './entries.ts'
import { matchedParts } from './match.ts'
import { PALETTE_LIST_ID, type PaletteListProps } from './list-props.ts'
import { useActions } from './use-actions.ts'

export function PaletteList({ handleKey, activeOption, onChoose, onHelp }: PaletteListProps) {
  const { route, search, skills } = useApp()
  const actions = useActions(onHelp)
  const query = search.query.value.trim()
  const selected = useSignal<{ readonly query: string; readonly id: string } | null>(null)
  useEffect(() => void skills.ensureLoaded(), [])
  const groups = useGroups(query, actions)
  const entries = groups.flatMap((group) => group.entries)
  // A new query selects the first entry again. Later results are added below it.
  const selectedIndex =
    selected.value?.query === query ? entries.findIndex(({ id }) => id === selected.value?.id) : 0
  const active = entries[Math.max(0, selectedIndex)]
  const optionIdOf = (entry: PaletteEntry): string => `palette-${entries.indexOf(entry)}`
  const select = (entry: PaletteEntry | undefined): void => {
    selected.value = entry ? { query, id: entry.id } : null
  }
  const choose = (entry: PaletteEntry): void => {
    if (entry.isFollowUp) entry.run()
    else onChoose(entry.run)
  }
  handleKey.current = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      select(entries[(Math.max(0, selectedIndex) + step + entries.length) % entries.length])
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      choose(active)
    }
  }
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    activeOption.value = active && optionIdOf(active)
    const option = list.current?.querySelector('[aria-selected=true]')
    // The label of a group is seen with its first option.
    if (entries[0] === active) list.current?.scrollTo(0, 0)
    else option?.scrollIntoView({ block: 'nearest' })
  }, [active?.id, query])
  const isSearching = search.isSearching.value
  const isEmpty = entries.length === 0 && !isSearching && !search.trouble.value
  return (
    <>
      <p class="unseen" role="status">
        {query === '' || isSearching ? '' : counted(entries.length, 'result')}
      </p>
      <div class="palette-room" ref={list}>
        <div id={PALETTE_LIST_ID} role="listbox" aria-label="Results" hidden={entries.length === 0}>
          {groups.map(({ label, entries: members }) => (
            <div key={label} role="group" aria-label={label}>
              <div class="palette-label" aria-hidden="true">
                {label}
              </div>
              {members.map((entry) => (
                <Option
                  key={entry.id}
                  entry={entry}
                  query={query}
                  id={optionIdOf(entry)}
                  isSelected={entry === active}
                  onSelect={() => select(entry)}
                  onChoose={() => choose(entry)}
                />
              ))}
            </div>
          ))}
        </div>
        {isEmpty && (
          <p class="quiet palette-note">
            No results for “<span dir="auto">{query}</span>”
          </p>
        )}
        <FailureNotice trouble={search.trouble.value} onRetry={search.repeat} />
        {isSearching && <p class="quiet palette-note">Searching messages…</p>}
      </div>
    </>
  )

  function useGroups(text: string, allActions: ReturnType<typeof useActions>): readonly PaletteGroup[] {
    const { deletions, lastViewed, rows } = useApp()
    const results = search.results.value?.filter(({ id }) => !deletions.hiddenIds.value.has(id)) ?? []
    const groups = groupsFor({
      query: text,
      rows: rows.value ?? [],
      actions: allActions,
      skills: skills.list.value ?? [],
      // Results of the previous query are not shown for this one.
      found: search.isSearching.value ? [] : onePerRoot(results, lastViewed),
      openThread: (id) => route.go(threadRoute(id)),
      openSkill: (id) => route.go({ view: SKILL_ADDRESS, id }),
    })
    if (!search.hasMore.value || search.isSearching.value || text === '') return groups
    const more = {
      id: 'more',
      icon: 'chevron-down',
      title: 'Show more results',
      run: () => void search.readMore(),
      isFollowUp: true,
    } as const
    return [...groups, { label: 'More', entries: [more] }]
  }
}

interface OptionProps {
  readonly entry: PaletteEntry
  readonly query: string
  readonly id: string
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onChoose: () => void
}

function Option({ entry, query, id, isSelected, onSelect, onChoose }: OptionProps) {
  const { icon, title, note, excerpt, keys, count } = entry
  return (
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      // Only a pointer that moves selects, not a list that scrolls under it.
      onPointerMove={isSelected ? undefined : onSelect}
      // Prevents the field from losing its focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <span class="palette-text">
        <span class="palette-title" dir="auto">
          {matchedParts(title, query).map(({ text, isMatch }, index) =>
            isMatch ? <mark key={index}>{text}</mark> : text,
          )}
        </span>
        {note && <small dir="auto">{note}</small>}
        {excerpt && (
          <small dir="auto">
            {excerpt.before}
            <mark>{excerpt.hit}</mark>
            {excerpt.after}
          </small>
        )}
      </span>
      {count !== undefined && (
        <span class="badge warn">
          {count}
          <span class="unseen"> waiting</span>
        </span>
      )}
      {keys && (
        <span class="caps">
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </div>
  )
}
