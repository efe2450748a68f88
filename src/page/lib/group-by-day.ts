// Groups a list that is sorted newest first: recent items by local day, older ones by month. Pure.

import { formatInLocale } from './format.ts'

export interface Group<T> {
  readonly label: string
  readonly items: readonly T[]
}

const RECENT_DAYS = 7

export function groupByDay<T>(
  items: readonly T[],
  timeOf: (item: T) => string,
  now: number,
): readonly Group<T>[] {
  const groups: { label: string; items: T[] }[] = []
  const today = new Date(now)
  // Formatting a month's name costs more than everything else here.
  const labels = new Map<string, string>()
  for (const item of items) {
    const time = new Date(timeOf(item))
    const day = time.toDateString()
    const label = labels.get(day) ?? labelOf(time, today)
    labels.set(day, label)
    const last = groups.at(-1)
    if (last?.label === label) last.items.push(item)
    else groups.push({ label, items: [item] })
  }
  return groups
}

function labelOf(date: Date, now: Date): string {
  const days = daysBetween(date, now)
  // The server's clock may be ahead.
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= RECENT_DAYS) return 'Previous 7 days'
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return formatInLocale((locale) => date.toLocaleDateString(locale, { month: 'long', ...year }))
}

/** The number of midnights between the two times. A day of 23 or 25 hours also counts as one day. */
function daysBetween(time: Date, now: Date): number {
  const [from, to] = [time, now].map((date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))
  return ((to ?? 0) - (from ?? 0)) / 86_400_000
}
